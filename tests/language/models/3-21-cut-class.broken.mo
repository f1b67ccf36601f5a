cut class Pin (V(unit="V") / i(unit="A"))
cut class Plug (V(unit="V") / i(unit="A"))
model class Resistor
  cut (Pin) A (Va / i), B (Vb / -i)
  main path P <A - B>
  parameter R (unit="Ohm") = 10
  R*i = Va - Vb
end
model class Wall
  main cut (Plug) A (V / i)
  V = 230
end
model class Wrong
  main cut (Pin) A (V(3) / i)
  cut (Pim) B (W / j)
end
model Classes
  submodel (Resistor) R
  submodel (Wall) w
  submodel (Wrong) x
  connect R:A at w
end
