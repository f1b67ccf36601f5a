model M
  local x, y, z
  x = y + z
  x - y = 2*z - z + sin(time)
  x = 2*y
end
