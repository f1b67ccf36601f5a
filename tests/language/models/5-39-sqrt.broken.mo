model Sqrt
  local x, y, z
  parameter A (unit="m2") = 1
  x = sqrt(-1)
  y = sqrt(A) + 1*A
  z = sqrt([4, 9])
end
