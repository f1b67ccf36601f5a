model Zeros
  local x(2), A(2,3), y, z
  x = zeros(3)
  A = zeros(3, 2)
  y = zeros()
  z = zeros(0)
end
