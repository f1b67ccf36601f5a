model M
  parameter V (unit="V") = 1, l (unit="m") = 1, w (unit="rad/s") = 1
  local x, y, z
  x = exp(V)
  y = sin(w*l)
  z = 2^V
end
