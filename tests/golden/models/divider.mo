{ a loop with a resistor, a capacitor and a source: aliases, a through sum, one state }
model class TwoPin
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  local u (start=0)
  u = Va - Vb
end

model class (TwoPin) Resistor
  parameter R
  R*i = u
end

model class (TwoPin) Capacitor
  parameter C = 1e-6
  C*der(u) = i
end

model class (TwoPin) Source
  parameter V = 1
  u = if time < 0.5 then 0 else V
end

model class Ground
  main cut A (V / i)
  V = 0
end

model Divider
  submodel (Resistor) R1(R=100)
  submodel (Capacitor) C1
  submodel (Source) S(V=5)
  submodel (Ground) g
  node n
  connect n to S to g, n to R1 to C1 to g
end
