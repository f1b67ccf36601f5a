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
model Ring
  submodel (S) s
  submodel (E) e
  submodel (R) a, b
  connect s loop a, e loop s:C, a loop (b loop s)
end
