model class Tank
  cut a (p / m, carried h)
  terminal M (start=2), U (start=6)
  p = M
  h = U/M
  der(M) = m
  der(U) = carried(h)
end
model class Plain
  cut a (p / m)
  p = 1
end
model class Mixture
  cut a (p / m, carried X(2))
  p = 1
  X = [0.2, 0.8]
end
model Mixing
  submodel (Tank) t1, t2
  submodel (Plain) s
  submodel (Mixture) x
  connect t1:a to s:a, t2:a to x:a
end
