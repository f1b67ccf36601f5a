model Cos
  local x, y, z
  x = cos()
  y = cos(identity(2))
  z = cosin(1)
end
