@electrical

model EmfNotDriven
  submodel (VConst) V(V = 12)
  submodel (Resistor) R(R = 100)
  submodel (Emf) m(k = 0.1)
  submodel (Ground) g
  connect V to R to m to V, g at V:B
end
