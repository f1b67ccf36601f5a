model M
  x = (a + b
  y = 2
  z = f(a,
  w = [1, 2
  node n
  x = a]
  x = a + b)
  x = (a]
  x = der(
end
