model Max
  parameter l (unit="m") = 2, v(3) = [3, 1, 2]
  local a, b, c, d (unit="m"), e, g
  a = max(time, 1)
  b = max(time, 1, v(1), -time)
  c = max(v)
  d = max(l, 3*l)
  e = der(max(time, 1))
  g = max(3, 1, 2) + max([3, 1; 7, 2]) + max(4)
end
