model Atan
  local x, y, z
  x = atan(1, 2)
  y = atan(1..2)
  z = 1
end
