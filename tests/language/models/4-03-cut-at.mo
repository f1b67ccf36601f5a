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
model class Box
  submodel (R) a, b(G=2)
  cut p, q
  main path P <p - q>
  connect p at a:A, a:B at b:A, b:B at q
end
model CutAt
  submodel (Box) x
  submodel (S) s
  submodel (E) e
  node n
  connect s:A at n, x:p at n, x:q at s:B, e:A at x:b:B
end
