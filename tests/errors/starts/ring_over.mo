@electrical
model M "three capacitors in a ring with three voltages"
  submodel (Capacitor) C1(C=1, u0=1), C2(C=1, u0=2), C3(C=1, u0=5)
  submodel (Resistor) R(R=1)
  submodel (Ground) g
  node a, b, c
  connect C1 at (a, b), C2 at (b, c), C3 at (a, c), R at (a, c), g at c
end
