model M
  parameter a (unit="1/s2") = 1
  local p (unit="Pa"), T (unit="K")
  p = 2*T^2
  T = 300 + time
  local G
  parameter n (unit="K") = 1
end
