model Cosh
  local x, y, z
  x = cosh(1, 2)
  y = cosh(zeros(2))
  z = cosh(:)
end
