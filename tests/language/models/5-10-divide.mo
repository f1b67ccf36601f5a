model Quotient
  parameter k = 3, v(2) = [1, 2]
  local a, b(2), c, d(2,2), v1 (unit="m/s"), s (unit="m")
  a = 6/k/2
  b = v/(1 + time)
  c = 1/a*2
  d = identity(2)/4
  s = sin(time)
  v1 = s/2*3/time
end
