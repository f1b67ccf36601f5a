@"parts.inc"

model M
  submodel (Resistr) R1(R=100), R2(R=50)
  submodel (Ground) g
  connect R1 to g
end
