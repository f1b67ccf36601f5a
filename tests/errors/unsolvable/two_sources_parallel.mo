@electrical

model TwoSourcesParallel
  submodel (VConst) V1(V = 12), V2(V = 10)
  submodel (Resistor) R(R = 100)
  submodel (Ground) g
  connect (V1 par V2) to R to g
  connect g at V1:B
end
