@"parts.inc"

model M
  submodel (Resistor) R1(R=1), R2(R=2)
  submodel (Ground) g
  connect reversed g to R1, (R1 to R2) par reversed (g par g)
end
