model Sinh
  local x, v, k
  x = sinh(2*time)
  v = der(sinh(2*time))
  k = sinh(0)
end
