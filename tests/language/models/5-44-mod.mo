model Mod
  local a, b, c, d, e
  a = mod(7, 3) + 10*mod(-7, 3)
  b = mod(7, -3) + 10*mod(-7, -3)
  c = mod(time, 0.3)
  d = der(mod(time, 0.3))
  e = mod(-2.5, 1)
end
