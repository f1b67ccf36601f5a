model Map
  parameter speeds(3) = [0, 1, 3], loads(2) = [0, 2], losses(3, 2) = [0, 1; 2, 5; 3, 9]
  constant T(3, 3) = [0, 0, 2; 0, 1, 2; 4, 3, 7]
  local x, v, loss, known
  x = interp2(time, 2*time, T)
  v = der(x)
  loss = interp2(time, 1 + time, speeds, loads, losses)
  known = interp2(0.5, 1, [0, 1], [0, 2], [1, 2; 3, 4])
end
