model M "of two equations each follows from the other only where its factor is not zero, and there is one too many"
  parameter a = 2, b = 3
  local x, y, z
  a*x + a*y = 3*a
  b*x + b*y = 3*b
  z = x - y
  x - y = a
end
