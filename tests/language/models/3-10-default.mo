model class Motor
  terminal v, w(2)
  default v = 24, w = [v, 1]
  default load = 3
  local y
  y = v + w(1) + load
end
model class (Motor) Small
  default v = 12
end
model Defaults
  submodel (Motor) a, b(v = 6), m(2)(load = [1, 2])
  submodel (Small) s
  s.load = time
end
