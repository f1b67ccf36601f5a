model Tan
  local x, y, z
  parameter l (unit="m") = 1
  x = tan(l)
  y = tan([1, 2])
  z = 2 + tan
end
