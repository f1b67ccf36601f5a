@electrical

model Ladder
  parameter n = 3
  submodel (VConst) V(V=6)
  submodel (Resistor) r(n)(R=[1, 2, 3])
  submodel (Ground) g
  node p(n + 1), q
  connect V at (p(1), p(end)), g at p(n + 1)
  connect r(k) at (p(k), p(k + 1)) for k = 1..n
end
