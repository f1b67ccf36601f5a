cut class Pin (V(unit="V") / i(unit="A"))
cut class Frame (r(3)(unit="m") / f(3)(unit="N"))
model class Resistor
  cut (Pin) A (Va / i), B (Vb / -i)
  main path P <A - B>
  parameter R (unit="Ohm") = 10
  R*i = Va - Vb
end
model class Ground
  main cut (Pin) A (V / i)
  V = 0
end
model class Body
  main cut (Frame) A
  cut (Frame) B (s / .)
  s = 0
end
model class Load
  main cut (Frame) A (r / f)
  parameter c (unit="N/m") = 3
  f = c*r
end
model class Source
  main cut A (V(unit="V") / i(unit="A"))
  V = 5
end
model Classes
  submodel (Resistor) R
  submodel (Ground) g
  submodel (Source) s
  submodel (Body) b
  submodel (Load) l
  connect s to R to g, b:B at l
end
