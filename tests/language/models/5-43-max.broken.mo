model Max
  parameter l (unit="m") = 2, t (unit="s") = 2, v(3) = [3, 1, 2]
  local a, b, c(3), d
  a = max()
  b = max(l, t)
  c = max(v, 2)
  d = max(true, false)
end
