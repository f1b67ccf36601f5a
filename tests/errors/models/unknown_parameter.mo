@"parts.inc"

model M
  submodel (Resistor) R1(r=100, R=1, R=2)
end
