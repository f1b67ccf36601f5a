model class R
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  i = Va - Vb
end
model Nodes
  submodel (R) a
  node n1, n1
  connect a at (n1, n3)
end
