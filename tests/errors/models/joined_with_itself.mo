@"parts.inc"

model M
  submodel (Resistor) R1(R=1), R2(R=2)
  submodel (Ground) g
  node n
  connect R1 to R1, R2 at (n, n), n to g, g:A at g
end
