model class S
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  Va - Vb = 10
end
model class E
  main cut A (V / i)
  V = 0
end
model AtList
  submodel (S) s
  submodel (E) e
  node n1, n2
  connect s at (n1, n2, n1), e at (n1, n2), s at (n1, n3), s at (n1)
end
