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
model Grounded
  submodel (S) s
  submodel (R) a, b
  connect s to a to b to s
end
