@"parts.inc"

model M
  parameter Vmax
  submodel (Resistor) R1, R2(R = Vmax)
  submodel (Source) S
  submodel (Ground) g
  connect g to S to R1 to R2 to g
end
