@"parts.inc"

model M
  submodel (Source) S1(V=12)
  submodel (Resistor) R1(R=100)
  submodel (Ground) g, h
  connect g to S1 to R1 to g, h to g
end
