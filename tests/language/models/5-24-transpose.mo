model Transposed
  parameter A(2,3) = [1, 2, 3; 4, 5, 6], v(2) = [7, 8]
  local B(3,2), r(1,2), s, w(3), C(2,3)
  B = A'
  r = v'
  s = v'*v
  w = A'*v*time
  C = A''
end
