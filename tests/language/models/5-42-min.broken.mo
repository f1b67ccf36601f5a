model Min
  parameter l (unit="m") = 2, t (unit="s") = 2, v(3) = [3, 1, 2]
  local a, b, c(3), d
  a = min()
  b = min(l, t)
  c = min(v, 2)
  d = min(true, false)
end
