model Tan
  local x, v, k
  x = tan(2*time)
  v = der(tan(2*time))
  k = tan(0)
end
