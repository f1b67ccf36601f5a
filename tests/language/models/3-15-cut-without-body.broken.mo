model class Mass
  main cut A (x(2) / f(2))
  der(x) = f
end
model class Shaft
  main cut A (phi / tau)
  tau = 0
end
model class Inner
  main cut j1
  submodel (Mass) m
  connect j1 at m
end
model Shapes
  submodel (Inner) i
  submodel (Shaft) s
  connect i at s
end
