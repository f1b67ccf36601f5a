model M
  local h (start=1), v, n (start=0), m (start=0)
  der(h) = v
  der(v) = -9.81
  when h < 0 then
    new(v) = -v
    new(n) = new(m) + new(h)
    init(n) = 3
  endwhen
end
