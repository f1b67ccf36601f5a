model FactorZero
  local x, y, z
  y = sin(time)
  z = 2*sin(time)
  x*(z - 2*y) = 1
end
