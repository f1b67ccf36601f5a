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
model Chain
  submodel (S) s
  submodel (E) e
  submodel (R) a, b, c(2)
  node n
  connect s to a to n to b to s:B, n to c(1) to c(2) to e
  connect e to s:B
end
