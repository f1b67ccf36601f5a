model class Measured
  main cut mc (q, qd)
  q = time
  qd = 1
end
model class Source
  main cut A (V, W / i)
  V = 2
  W = 1
end
model class Probe
  main cut A (V / .)
  local u
  u = V
end
model Across
  submodel (Measured) m
  submodel (Source) f
  submodel (Probe) p, q
  connect m at f, p at q
end
