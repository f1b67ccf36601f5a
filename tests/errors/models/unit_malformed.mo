model M
  local a (unit="m/s/s"), c (unit="J/kg.K"), k (unit="N*m"), l (unit="kg."), p (unit="m1000")
  a = 1
  c = 1
  k = 1
  l = 1
  p = 1
end
