model Asin
  local x, v, k
  x = asin(time/2)
  v = der(asin(time/2))
  k = asin(1)
end
