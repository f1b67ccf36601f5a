model Transpose
  local a, b(2,2), c(2,3)
  a = transpose(3)
  b = transpose(identity(2), 1)
  c = transpose([1, 2, 3; 4, 5, 6])
end
