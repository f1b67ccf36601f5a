model Numbers
  parameter a = 2, b = 2.5, c = .5, d = 2., e = 1e-3, f = 2.5E6
  local x, y(3), z
  x = -1 + 1.5*time
  y(1..2) = [1., .5e1]
  y(3) = 0
  z = 12345678901234567890
end
