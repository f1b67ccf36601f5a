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
model Boundary
  submodel (R) a
  submodel (E) e
  cut p (V / j), q, r (W(2) / f(2))
  main cut H [p, q]
  input f(2)
  local y
  connect p at a:A, e at a:B
  der(W) = f
  y = W(1)
end
