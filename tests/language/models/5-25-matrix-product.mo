model Products
  parameter A(2,3) = [1, 2, 3; 4, 5, 6]
  local v(3), w(2), B(2,2), C(3,3), s(1,1), k
  v = [1, time, 0]
  w = A*v
  B = A*A'
  C = A'*A
  s = w'*w*identity(1)
  k = w'*B*w
end
