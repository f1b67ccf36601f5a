model Product
  parameter k (unit="N/m") = 3, v(2) = [1, 2], A(2,2) = [1, 2; 3, 4]
  local F (unit="N"), x (unit="m"), a(2), b, c(2,2), d(1,2), z
  x = sin(time)
  F = k*x
  a = 2*v*time
  b = v'*v
  c = v*v'
  d = v'*A
  z = 0*x + 1*time
end
