model Cosh
  local x, v, k
  x = cosh(2*time)
  v = der(cosh(2*time))
  k = cosh(0)
end
