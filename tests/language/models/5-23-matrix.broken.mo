model Matrices
  local A(2,2), B(2,3), v(2)
  A = [1, 2; 3]
  B = [identity(2), [1; 2; 3]]
  v = [1, 2; 3, 4]
end
