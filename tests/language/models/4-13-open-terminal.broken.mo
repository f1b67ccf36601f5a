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
model OpenTerminal
  submodel (R) a
  submodel (E) e
  node n
  connect a:A at n, a:B at e
end
