model Numbers
  local x, y, z
  x = 1e999
  y = 1.2.3
  z = 3,5
end
