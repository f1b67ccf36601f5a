model Sinh
  local x, y, z
  x = sinh(1, 2)
  y = sinh(zeros(2))
  z = sinh
end
