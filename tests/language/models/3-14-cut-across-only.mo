model class Measured
  main cut mc (q, qd)
  q = time
  qd = 1
end
model class Sensor
  main cut mc (x, v)
  local y
  y = x + v
end
model class Source
  main cut A (V / i)
  V = 2
end
model class Load
  main cut A (V / i)
  i = V
end
model class Probe
  main cut A (V / .)
  local u
  u = V
end
model Across
  submodel (Measured) m
  submodel (Sensor) s(2)
  submodel (Source) f
  submodel (Load) l
  submodel (Probe) p
  node n
  connect s(1) at m, s(2) at m
  connect f at n, l at n, p at n
end
