model Dimensions
  local x(3), T(3,3), s, a, b, c(2), d
  x = [1, 2, 3]
  T = identity(3)
  s = x(0)
  a = T(2)
  b = T(1,4)
  c = x(2..4)
  d = s(1)
end
