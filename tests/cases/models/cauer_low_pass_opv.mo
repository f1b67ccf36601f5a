{ The Cauer low-pass filter of order five built of operational amplifiers, capacitors and resistors, some of them negative: each amplifier
  integrates one quantity of the ladder. }

@electrical

model CauerLowPassOPV
  parameter l1 (unit="H") = 1.304, l2 (unit="H") = 0.8586
  parameter c1 (unit="F") = 1.072, c3 (unit="F") = 1.682, c5 (unit="F") = 0.7262
  parameter w1 (unit="rad/s") = 1.704992, w2 (unit="rad/s") = 1.179945
  parameter c2 (unit="F") = 1/(w1^2*l1), c4 (unit="F") = 1/(w2^2*l2)
  parameter R (unit="Ohm") = 1 "of all resistors: a current of the ladder is a voltage here"
  submodel (VStep) V(V=1, t0=1)
  submodel (Resistor) R1(R=R), R2(R=R), R3(R=R), R4(R=-R), R5(R=-R), R6(R=R), R7(R=R), R8(R=-R),
                      R9(R=-R), R10(R=R), R11(R=R)
  submodel (Capacitor) C1(C=c1 + c2), C2(C=c2), C3(C=l1/R^2), C4(C=c4), C5(C=c2),
                       C6(C=c2 + c3 + c4), C7(C=l2/R^2), C8(C=c4), C9(C=c4 + c5)
  submodel (OpAmpIdeal) Op1, Op2, Op3, Op4, Op5
  submodel (Ground) g
  node n0, n1, n2, n3, n4, n5, n6, n7, n8, n9, n10, in
  connect g at n0, V at (in, n0),
          R1 at (in, n1), Op1 at (n0, n1, n2), C1 at (n1, n2), R2 at (n1, n2), R3 at (n1, n4),
          C2 at (n1, n6),
          Op2 at (n0, n3, n4), C3 at (n3, n4), R4 at (n3, n2), R5 at (n3, n6),
          Op3 at (n0, n5, n6), C6 at (n5, n6), C5 at (n5, n2), C4 at (n5, n10), R6 at (n5, n4),
          R7 at (n5, n8),
          Op4 at (n0, n7, n8), C7 at (n7, n8), R8 at (n7, n6), R9 at (n7, n10),
          Op5 at (n0, n9, n10), C9 at (n9, n10), C8 at (n9, n6), R10 at (n9, n8), R11 at (n9, n10)
end
