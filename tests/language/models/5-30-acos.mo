model Acos
  local x, v, k
  x = acos(time/2)
  v = der(acos(time/2))
  k = acos(1)
end
