model Atan2
  local x, y, z
  parameter l (unit="m") = 1, t (unit="s") = 1
  x = atan2(1)
  y = atan2([1, 2], 3)
  z = atan2(l, t)
end
