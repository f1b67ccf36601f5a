model M
  x = (a + b
  y = 2
  z = f(a,
  w = [1, 2
  x = (a $
  y = 3 4
  node n
  x = a]
  x = a + b)
  x = (a]
  x = der(
end
