@electrical

model TwoEqualSources
  submodel (VConst) V1(V = 12), V2(V = 12)
  submodel (Resistor) R(R = 100)
  submodel (Ground) g
  node p, m
  connect V1 at (p, m), V2 at (p, m), R at (p, m), g at m
end
