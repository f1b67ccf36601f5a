model class Pin
  cut A (Va / i), B (Vb / -i)
  main cut C [A, B]
  main path P <A - B>
  terminal u
  u = Va - Vb
end

model class (Pin) Diode "u = 0 or i = 0: s is the current where it conducts and the voltage where it blocks"
  local s, blocks (start=false)
  u = if blocks then s else 0
  i = if blocks then 0 else s
  new(blocks) = s < 0
end

model class (Pin) Resistor
  parameter R
  R*i = u
end

model class (Pin) Source
  u = 10*sin(314*time)
end

model class (Pin) Capacitor
  parameter C
  C*der(u) = i
end

model class Ground
  main cut A (V / i)
  V = 0
end

model Rectifier
  submodel (Source) source
  submodel (Diode) diode
  submodel (Resistor) load(R = 100), inner(R = 0.1)
  submodel (Capacitor) C(C = 1e-3)
  submodel (Ground) g
  node n0, n1, n2, n3
  connect source at (n1, n0), inner at (n1, n2), diode at (n2, n3), load par C at (n3, n0), g at n0
end
