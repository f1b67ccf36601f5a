@electrical

model OpampOpenLoop
  submodel (VSine) V(V = 1, f = 5)
  submodel (OpAmpIdeal) op
  submodel (Resistor) R(R = 100), RL(R = 10)
  submodel (Ground) g
  node a, o
  connect V at (a, g:A), op:P at g:A, op:N at a, op:O at o, RL at (o, g:A), R at (o, g:A)
end
