model Mod
  parameter l (unit="m") = 2, t (unit="s") = 2
  local a, b, c
  a = mod(1, 0)
  b = mod(l, t)
  c = mod(3)
end
