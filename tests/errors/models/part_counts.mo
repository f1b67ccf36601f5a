@"parts.inc"

model M
  submodel (Resistor) R1(R=1)
  submodel (Ground) g
  node n1, n2, n3
  connect R1 at (n1, n2, n3), R1 at n1, g at n1
end
