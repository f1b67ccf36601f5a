model class R
  cut A (Va / i), B (Vb / -i)
  i = Va - Vb
end

model Places
  submodel (R) p, q(2, 2, n)
  node n(2), m
  connect p.A at m
  p:Vb = 3
  p.Va = 1
    + 2
end
