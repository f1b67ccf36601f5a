model Power
  parameter p = 3, n = 0.5
  local a, b, c, d, e, l (unit="m"), A (unit="m2")
  a = 2^3^2
  b = -2**2
  c = time^p + time^-1
  d = (1 + time)^n
  e = der(time^3) + time^0
  l = sin(time)
  A = l^2
end
