model Acos
  local x, y, z
  x = acos(-2)
  y = acos("1")
  z = acos(true)
end
