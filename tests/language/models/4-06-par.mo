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
model Par
  submodel (S) s
  submodel (E) e
  submodel (R) a, b, c, d
  connect s to (a par (b to c) par reversed d) to s, e at s:B
end
