model Abs
  local x, y, z
  x = abs(1, 2)
  y = abs([1, -2])
  z = abs(true)
end
