model Cos
  local x, v, k
  x = cos(2*time)
  v = der(cos(2*time))
  k = cos(0)
end
