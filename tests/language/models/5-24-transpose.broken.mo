model Transposed
  parameter A(2,3) = [1, 2, 3; 4, 5, 6]
  local B(2,3), s, t
  B = A'
  s = 2'
  t = time'
end
