model Diagonal
  local A(2,2), B(2,2)
  A = diagonal(2, 3)
  B = diagonal(identity(2))
end
