@"parts.inc"

model M
  submodel (Source) S(V = 2*R1.R)
  submodel (Resistor) R1(R=1)
  submodel (Ground) g
  connect g to S to R1 to g
end
