@"parts.inc"

model M
  submodel (Ground) g
  submodel (Resistor) R1(R=1)
  node g
  connect R1 at (g, g)
end
