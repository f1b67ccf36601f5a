model Exp
  local x, y, z
  parameter T (unit="K") = 300
  x = exp(T)
  y = exp(1000)
  z = exp([1, 2])
end
