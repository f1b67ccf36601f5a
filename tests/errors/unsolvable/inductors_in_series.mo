@electrical

model InductorsInSeries
  submodel (VConst) V(V = 1)
  submodel (Inductor) L1(L = 1, i0 = 1), L2(L = 2, i0 = 2)
  submodel (Resistor) R(R = 1)
  submodel (Ground) g
  connect V to L1 to L2 to R to V, g at V:B
end
