model Skew
  local a(3,3), b(3,3), c(3)
  a = skew([1, 2])
  b = skew(identity(3))
  c = skew([1, 2, 3])
end
