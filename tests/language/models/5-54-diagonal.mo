model Diagonal
  parameter d(3) = [1, 2, 3]
  local A(3,3), B(2,2), C(1,1)
  A = diagonal(d)
  B = diagonal([time, 1])
  C = diagonal(ones(1))
end
