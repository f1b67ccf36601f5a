model class Toggle
  parameter T = 1
  output on (start=false)
  local k (start=0), total
  when sample(T, T) then
    new(k) = k + 1
    new(on) = not on
  endwhen
  total = 2*k
end
model (Toggle) Toggles
  submodel (Toggle) t(T = 0.1)
  local y
  y = if t.on then 1 else 0
end
