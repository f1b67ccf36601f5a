model class Capacitor "ideal capacitor"
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  parameter C (unit="F", min=0) = 1e-6 "capacitance"
  local u (unit="V", start=0)
  u = Va - Vb
  C*der(u) = i
end
model class Ground
  main cut A (V / i)
  V = 0
end
model class Source
  main cut A (V(unit="V") / i)
  V = 5*time
end
model TwoInSeries
  submodel (Capacitor) a, b(C=2e-6)
  submodel (Source) s
  submodel (Ground) g
  connect s to a to b to g
end
