model class TwoPin
  cut A (Va / i), B (Vb / -i)
  main path P <A - B>
  local u
  u = Va - Vb
end
model class HeatPort
  cut H (T / Q)
end
model class (TwoPin, HeatPort) Heater
  parameter R = 2
  local P
  R*i = u
  P = u*i
  Q = -P
end
model class (TwoPin) Source
  u = 10
end
model class Ground
  main cut A (V / i)
  V = 0
end
model class Mass
  main cut A (T / Q)
  der(T) = Q
end
model Heated
  submodel (Heater) h
  submodel (Source) s
  submodel (Ground) g
  submodel (Mass) m
  connect s to h to s, g at s:B, m at h:H
end
