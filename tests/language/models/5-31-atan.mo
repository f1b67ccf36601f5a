model Atan
  local x, v, k
  x = atan(2*time)
  v = der(atan(2*time))
  k = atan(1)
end
