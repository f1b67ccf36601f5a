model class Mass
  cut A (x / f)
  local v
  v = der(x)
  der(v) = f
  when x < 0 then
    init(v) = -v
    init(x) = 0
  endwhen
end

model M
  submodel (Mass) m
  local energy, w, p, r
  energy = m.x^2
  w = m.x
  der(r) = w
  p = -r
  when m.x > 1 then
    init(energy) = 0
    init(r) = 1
    init(p) = 2
  endwhen
end
