@electrical

model Circuit
  submodel (VStep) V(V = 10, t0 = 0)
  submodel (Resistor) R(10)
  submodel (Capacitor) C(1e-6)
  submodel (Ground) g
  connect g to V to R to C to g
end
