model Min
  parameter l (unit="m") = 2, v(3) = [3, 1, 2]
  local a, b, c, d (unit="m"), e, g
  a = min(time, 1)
  b = min(time, 1, v(1), -time)
  c = min(v)
  d = min(l, 3*l)
  e = der(min(time, 1))
  g = min(3, 1, 2) + min([3, 1; 7, 2]) + min(4)
end
