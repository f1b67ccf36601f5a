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
  submodel (R) a, b
  main cut p (V(2) / i(2))
  cut q
  connect q at a:A, a:B at b:A, q to b:B
  i = V
end
model class Two
  main cut p (V(2) / -j(2))
  j = [1, time]
end
model Sums
  submodel (Box) x
  submodel (Two) y
  submodel (S) s
  submodel (E) e
  connect x at y, x:q at s:A, s:B to e
end
