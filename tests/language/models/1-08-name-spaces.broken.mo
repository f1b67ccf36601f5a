model class Ci
  parameter C = 1
  main cut A (V / i)
  V = C
end
model Spaces
  parameter C = 2, C = 3
  submodel (Ci) C(C=C), C
  node n, n
  cut n (V / i)
end
