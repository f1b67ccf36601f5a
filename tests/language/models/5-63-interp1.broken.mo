model Tables
  local x, y, z, w
  x = interp1(time, [0, 1], [1, 2, 3])
  y = interp1(time, [1, 0], [1, 2])
  z = interp1(time, [0, 1, 2; 1, 2, 3])
  w = interp1(time)
end
