model Product
  parameter k (unit="N/m") = 3, v(2) = [1, 2], A(3,3) = identity(3)
  local F (unit="N"), x (unit="m"), a(2), b, c
  x = 2
  F = k*x*x
  a = v*v
  b = A*v
  c = v*A
end
