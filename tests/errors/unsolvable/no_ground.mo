@electrical

model NoGround
  submodel (VConst) V(V = 12)
  submodel (Resistor) R1(R = 100), R2(R = 50)
  submodel (Capacitor) C(C = 1e-6)
  node n
  connect V to R1 to n, C at (n, V:B), R2 at (n, V:B)
end
