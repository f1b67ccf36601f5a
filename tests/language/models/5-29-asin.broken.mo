model Asin
  local x, y, z
  x = asin(2)
  y = asin(1, 1)
  z = arcsin(1)
end
