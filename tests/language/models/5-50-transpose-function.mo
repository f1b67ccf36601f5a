model Transpose
  parameter A(2,3) = [1, 2, 3; 4, 5, 6]
  local B(3,2), r(1,3)
  B = time*transpose(A)
  r = transpose([1, 2, time])
end
