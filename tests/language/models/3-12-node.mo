model class R
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  i = Va - Vb
end
model class Box
  submodel (R) a, b, c
  node n1, n2, unused
  connect a at (n1, n2), b:A at n2, c at (n2, n1), b:B at n3
  node n3
  b.Vb = time
end
model Nodes
  submodel (Box) x
end
