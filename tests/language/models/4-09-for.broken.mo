model class R
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  parameter G = 1
  i = G*(Va - Vb)
end
model class E
  main cut A (V / i)
  V = 0
end
model Repeated
  submodel (E) e
  submodel (R) a(3)
  local x
  x = 1
  connect a(k) to a(k + 1) for k = 1..3
  connect a(j) to e for k = 1..3
  connect a(k) to e for k = 1..x
end
