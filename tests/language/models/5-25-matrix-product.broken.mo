model Products
  parameter A(2,3) = [1, 2, 3; 4, 5, 6]
  local v(2), w(2), B(2,3)
  v = [1, time]
  w = A*v
  B = A*A
end
