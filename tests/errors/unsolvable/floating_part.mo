@electrical

model FloatingPart
  submodel (VConst) V(V = 12), V2(V = 5)
  submodel (Resistor) R1(R = 100), R2(R = 50)
  submodel (Ground) g
  connect V to R1 to V, g at V:B
  connect V2 to R2 to V2
end
