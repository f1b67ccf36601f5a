model class Law
  parameter A(2,2) = [2, 1; 1, 3]
  terminal x(2), y(2), M(2,2), s
  A*x = y
  M + identity(2) = A*M
  x(1) + time = 2*s
  0 = x - [1, time]
end
model Equations
  submodel (Law) l
end
