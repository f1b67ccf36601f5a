model M
  parameter m (unit="kg") = 1, c (unit="N/m") = 10, d (unit="N.m/rad") = 1
  local x (unit="m", start=1), v (unit="m/s")
  v = der(x)
  m*der(v) + d*v + c*x = 0
end
