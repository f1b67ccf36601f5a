model class Box
  main cut p (V / i)
  V = 1
end
model Sums
  submodel (Box) x, y
  connect x at y
end
