@"parts.inc"

model M
  submodel (Source) S1(V=12)
  submodel (Resistor) R1(R=100)
  connect S1 to R1 to S1
end
