{ Low-pass filter of order five (Cauer) between two resistors of 1 Ohm; a step of 1 V at time 1.

  The example CauerLowPassAnalog of the Modelica Standard Library. The capacitors form two loops:
  of their five voltages only three are independent. }

@electrical

model CauerLowPass "Cauer low-pass filter"
  parameter l1 (unit="H") = 1.304, l2 (unit="H") = 0.8586
  parameter c1 (unit="F") = 1.072, c3 (unit="F") = 1.682, c5 (unit="F") = 0.7262
  parameter w1 (unit="rad/s") = 1.704992, w2 (unit="rad/s") = 1.179945
  submodel (VStep) V(V=1, t0=1)
  submodel (Resistor) R1(R=1), R2(R=1)
  submodel (Capacitor) C1(C=c1), C3(C=c3), C5(C=c5)
  submodel (Capacitor) C2(C=1/(w1^2*l1)), C4(C=1/(w2^2*l2))
  submodel (Inductor) L1(L=l1), L2(L=l2)
  submodel (Ground) g
  node n0, n1, n2, n3, n4
  connect V at (n4, n0), g at n0, R1 at (n4, n1), R2 at (n3, n0),
          C1 at (n1, n0), C3 at (n2, n0), C5 at (n3, n0),
          L1 at (n1, n2), C2 at (n1, n2), L2 at (n2, n3), C4 at (n2, n3)
  experiment (stop=60)
end
