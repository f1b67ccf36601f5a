model Sin
  local x, y, z
  x = sin(1, 2)
  y = sin([1, 2])
  z = sn(1)
end
