model Quotient
  parameter v(2) = [1, 2], z = 0
  local a, b, c(2)
  a = 1/v
  b = 1/0
  c = v/v
end
