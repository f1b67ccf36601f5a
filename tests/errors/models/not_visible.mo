@"parts.inc"

model M
  submodel (Resistor) R1(R=100)
  local p
  p = R1.i*R1.u
end
