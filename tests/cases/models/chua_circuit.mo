{ The circuit of Chua: a chaotic oscillator around a resistor of three straight lines. }

@electrical

model ChuaCircuit
  submodel (Inductor) L(L=18)
  submodel (Resistor) Ro(R=12.5e-3)
  submodel (Conductor) G(G=0.565)
  submodel (Capacitor) C1(C=10, u0=4), C2(C=100)
  submodel (NonlinearResistor) Nr(Ga=-0.757576, Gb=-0.409091, Ve=1)
  submodel (Ground) g
  node n1, n2, n0
  connect L to Ro, L:A at n2, Ro:B at n0, G at (n2, n1), C1 at (n1, n0), C2 at (n2, n0),
          Nr at (n1, n0), g at n0
end
