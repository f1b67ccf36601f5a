model Sum
  parameter v(3) = [1, 2, 3]
  local a, b, c(3)
  a = sum(1, 2)
  b = sum()
  c = sum(v)
end
