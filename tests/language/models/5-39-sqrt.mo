model Sqrt
  local x, v, k
  x = sqrt(1 + time)
  v = der(sqrt(1 + time))
  k = sqrt(9)
end
