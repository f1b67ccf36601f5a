{ A capacitor that is charged through a resistor: C.u = V*(1 - exp(-(t - t0)/(R*C))) from t0 on. }

@electrical

model RC "charging of a capacitor"
  submodel (VStep) V(V=10, t0=100 ms)
  submodel (Resistor) R(R=1 kOhm)
  submodel (Capacitor) C(C=100 uF)
  submodel (Ground) g
  node n0, n1
  connect V at (n1, n0), g at n0, n1 to R to C to n0
end
