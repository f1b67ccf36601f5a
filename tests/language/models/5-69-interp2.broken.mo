model Map
  local u, v, w, x, y, z
  u = interp2(time, 1, [0, 1], [0, 2], [1, 2, 3; 4, 5, 6])
  v = interp2(time, 1, [1, 1], [0, 2], [1, 2; 3, 4])
  w = interp2(time, 1, [0, 1], [2, 0], [1, 2; 3, 4])
  x = interp2(time, 1, [0, 1], [0], [1; 3])
  y = interp2(time, 1, [0, time], [0, 2], [1, 2; 3, 4])
  z = interp2(time, 1)
end
