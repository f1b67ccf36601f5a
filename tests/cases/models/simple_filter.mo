{ A capacitor that is charged through a resistor. }

@electrical

model FilterCircuit
  submodel (VConst) V(V=10)
  submodel (Resistor) R(R=0.5)
  submodel (Capacitor) C(C=2, u0=0.1)
  submodel (Ground) g
  connect V:A to R to C to V:B, g at V:B
end
