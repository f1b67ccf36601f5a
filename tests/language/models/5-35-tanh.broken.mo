model Tanh
  local x, y, z
  x = tanh(1, 2)
  y = tanh(zeros(2))
  z = thanh(1)
end
