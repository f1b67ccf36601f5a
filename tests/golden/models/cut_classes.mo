{ Cuts with classes, with one that takes the form of its class, with the class of a file, and without class. }

cut class Pin (V(unit="V", nominal=10) / i(unit="A")) "electrical pin"
cut class Motion (q(2)(unit="m"), v(2)(unit="m/s") / F(2)(unit="N")) "point in a plane"

model class TwoPin
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut C [A, B]
end

model class (TwoPin) Resistor
  parameter R (unit="Ohm") = 10
  R*i = Va - Vb
end

model class (TwoPin) Source
  Va - Vb = 5
end

model class Ground "an old one, without class"
  main cut P (V(unit="V") / i(unit="A"))
  V = 0
end

model class Mass
  main cut (Motion) P (q, v / F)
  local q (start=1)
  parameter m (unit="kg") = 2
  v = der(q)
  m*der(v) = F
end

model class Weight
  main cut (Motion) P (., . / F)
  F = [0, 3]
end

model class Hanger
  main cut (Motion) H
  submodel (Mass) m
  connect m at H
end

model class (Mass) Heavy
  parameter m = 20
end

model CutClasses
  submodel (Source) s
  submodel (Resistor) r
  submodel (Ground) g
  submodel (Hanger) h
  submodel (Heavy) heavy
  submodel (Weight) w, w2
  node n
  connect s to r to s, g at r:B
  connect w to h, w2 to heavy
end
