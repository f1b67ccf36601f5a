model class Twin
  cut A (V / i), B (W / j), D (U / k)
  cut E [A, B]
  main cut C [E, D]
  i = V
  j = W
  k = U
end
model PartByPart
  submodel (Twin) a, b
  connect a to b:E, a:E at b:D
end
