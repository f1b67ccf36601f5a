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
model Repeated
  parameter n = 3
  submodel (S) s
  submodel (E) e
  submodel (R) a(n), b(2*n)
  connect a(k) to a(k + 1) for k = 1..n - 1
  connect s to a(1), a(n) to s, e to s:B
  connect b(2*k + j) at (a(k + 1):A, a(k + 1):B) for k = 0..n - 1 for j = 1..2
  connect b(k) to b(k) for k = 2..1
end
