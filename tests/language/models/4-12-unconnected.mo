model class R
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  parameter G = 1
  i = G*(Va - Vb)
end
model class Box
  submodel (R) a
  a.Va = 1
end
model Unconnected
  submodel (Box) x
  submodel (R) b(2)
  b(1).Va = time
  b(2).Vb = 2
end
