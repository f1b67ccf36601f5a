model Exp
  local x, v, k
  x = exp(2*time)
  v = der(exp(2*time))
  k = exp(0)
end
