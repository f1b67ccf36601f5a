@"parts.inc"

model M
  submodel (Resistor) R1(R=1)
  submodel (Ground) g
  node n1
  connect R1 at (n1, n2), R2 to g, R1:D at n1, R1:A at g, g at n2, R2 at n2
end
