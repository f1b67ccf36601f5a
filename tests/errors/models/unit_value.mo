@electrical

model M
  parameter C (unit="F") = 1e-6, T (unit="s") = C
  local x (unit="m", start=T)
  submodel (VConst) V(V = 1)
  submodel (Resistor) R(R = C)
  submodel (Ground) g
  node n0
  der(x) = 1
  connect V to R to V, g at V:A
end
