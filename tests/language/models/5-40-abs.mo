model Abs
  local x, v, k
  x = abs(time - 1)
  v = der(abs(time - 1))
  k = abs(-3)
end
