@electrical

model TwoGroundsLoop
  submodel (VConst) V(V = 12)
  submodel (Resistor) R(R = 100)
  submodel (Ground) g1, g2
  node a, b
  connect V at (a, b), R at (a, b), g1 at b, g2 at b
end
