model class R
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  parameter G = 1
  i = G*(Va - Vb)
end
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
  submodel (R) a, b
  node n1, n2
  connect s at (n1, n2), a at (s:A, s:B)
  connect reversed b at (n1, n2), e at n2
end
