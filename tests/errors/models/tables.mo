model M
  parameter xs(3) = [1, 2, 3], ys(2) = [1, 2], T(3,3) = identity(3)
  local a, b, c, d, e, f
  a = interp1(time, xs, ys)
  b = interp1(time, T)
  c = interp1(time, [1, 1, 2], [1, 2, 3])
  d = interp1(time, [0], [1])
  e = interp1(time, [0, a], [0, 1])
  f = interp1(time, 1, 2) + interp1(xs, xs, xs) + interp1(time)
end
