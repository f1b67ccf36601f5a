@electrical
model M
  submodel (VConst) V(V=10)
  submodel (Resistor) R(R=1), S(R=1)
  submodel (Ground) g
  node n0, n1, n2, n3
  connect V at (n1, n0), g at n0, R:A at n3, R:B at n2, S at (n1, n2)
end
