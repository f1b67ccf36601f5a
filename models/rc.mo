{ A capacitor that is charged through a resistor: C.u = V*(1 - exp(-(t - t0)/(R*C))) from t0 on. }

@electrical

model RC "charging of a capacitor"
  submodel (VStep) V(V=10, t0=0.1)
  submodel (Resistor) R(R=1000)
  submodel (Capacitor) C(C=1e-4)
  submodel (Ground) g
  node n0, n1
  connect V at (n1, n0), g at n0, n1 to R to C to n0
end
