model Power
  parameter l (unit="m") = 2, v(2) = [1, 2]
  local a, b (unit="m"), c(2), d
  a = (-8)^0.5
  b = l^2
  c = v^2
  d = 2^l
end
