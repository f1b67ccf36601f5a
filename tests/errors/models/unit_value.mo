@electrical

model M
  parameter C (unit="F") = 1e-6, T (unit="s") = C
  parameter tau (unit="s") = R0/L, T0 (unit="s") = 1/(R0*C), f (unit="Hz") = C*R0, R0 (unit="Ohm") = 1, L (unit="H") = 1
  local x (unit="m", start=T)
  submodel (VConst) V(V = 1)
  submodel (Resistor) R(R = C)
  submodel (Ground) g
  node n0
  der(x) = 1
  connect V to R to V, g at V:A
end
