model Atan2
  local x, v, k
  x = atan2(2*time, 3)
  v = der(atan2(2*time, 3))
  k = atan2(1, -1)
end
