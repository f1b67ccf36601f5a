model Matrices
  parameter p = 2
  local v(3), c(3), A(2,2), B(3,4), C(4,4), r(1,2), w(4)
  v = [1, p, time]
  c = [1; p; time]
  A = [1, 0; 0, time]
  B = [identity(3), v]
  C = [A, 2*A; zeros(2, 2), A']
  r = [1, 2]'
  w = [v; p]
end
