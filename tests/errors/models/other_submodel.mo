@"parts.inc"

model M
  submodel (Source) S(V = 2*R1.R)
  submodel (Resistor) R1(R=1), R2(R = R1.R + S.V)
  submodel (Ground) g
  parameter power = S.V^2/R1.R
  connect g to S to R1 to R2 to g
end
