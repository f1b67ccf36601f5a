model class Mass
  main cut A (x(2), v / f(2))
  parameter m = 1
  m*der(x) = f
  v = m
end
model class Wall
  main cut A (x(2), v / f(2))
  f = x
end
model class Inner
  cut j1, j2
  submodel (Wall) w
  connect j1 at w
end
model class Outer
  main cut k
  cut l, unused
  submodel (Inner) i
  connect k at i:j1, l at i:j2
end
model Shapes
  submodel (Outer) o
  submodel (Mass) m
  connect m at o
end
