model class Load
  main cut A (V / i)
  i = V
end
model Conditional
  parameter n = 1
  local x, y
  submodel (Load) a, b if n > 1, c if x > 1, d if n
  x = b.V
  y = a.V
end
