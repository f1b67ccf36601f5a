@electrical

model TransformersInParallel
  submodel (VSine) V(V = 1, f = 50)
  submodel (IdealTransformer) T1(n = 2), T2(n = 3)
  submodel (Resistor) R(R = 1e3)
  submodel (Ground) g
  node p, o, n
  connect V at (p, n), T1 at (p, n, o, n), T2 at (p, n, o, n), R at (o, n), g at n
end
