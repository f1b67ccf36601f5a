model M
  local a, b, c
  (a, b) = c
  (a, b) = 2*f(a)
  (a) = f(a)
  (a, b) = f(c)
  f(a) = (a, b)
end
function f(x) result y, z
  (y, z) := x
  (y, 2) := g(x)
end
