model Ones
  local x(2), A(2,3), y, z
  x = ones(3)
  A = ones(3, 2)
  y = ones()
  z = ones(0)
end
