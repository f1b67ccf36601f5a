@electrical

model OpampNoFeedback
  submodel (VSine) V(V = 1, f = 5)
  submodel (OpAmpIdeal) op
  submodel (Resistor) R(R = 100), RL(R = 10)
  submodel (Ground) g
  node n
  connect V to R to n
  connect op at (g:A, n, RL:A), RL:B at g, V:B at g
end
