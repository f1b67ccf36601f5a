{ The nodes of the amplifier are given in the wrong order: its output is where the ground is. }

@electrical

model Integrator
  submodel (VConst) source(V=1)
  submodel (Resistor) R(R=1000)
  submodel (Capacitor) C(C=1e-6)
  submodel (OpAmpIdeal) amplifier
  submodel (Ground) g
  node n0, n1, n2, n3
  connect source at (n1, n0), R at (n1, n2), C at (n2, n3), g at n0, amplifier at (n3, n2, n0)
end
