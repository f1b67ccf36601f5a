{ In a loop all equations depend on each other; two of them are for one quantity. }

@electrical

model class (TwoPin) Amplifier
  terminal w (unit="V")
  parameter k = 5
  u = k*w
  u = -k*w
end

model Ladder
  submodel (Amplifier) a
  submodel (Resistor) R1(R=1), R2(R=2), R3(R=3), R4(R=4), R5(R=5), R6(R=6), R7(R=7)
  submodel (Ground) g
  node n0, n1, n2, n3
  connect a at (n1, n0), g at n0, R1 at (n1, n2), R2 at (n2, n0), R3 at (n2, n3), R4 at (n3, n0),
          R5 at (n1, n3), R6 at (n1, n2), R7 at (n2, n3)
  a.w = R4.u
end
