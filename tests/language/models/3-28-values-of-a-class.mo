model class Motor
  parameter R (unit="Ohm") = 1, k = 2, twice = 2*k
  terminal u (unit="V"), i (unit="A")
  u = R*i
end
model class (Motor) Motor17
  parameter R = 0.2 Ohm, k = 7
end
model class Sheet
  parameter R (unit="Ohm") = 300 mOhm
end
model class Axis
  submodel (Motor) motor(k = 11), other
  motor.u = 1 V
  other.u = 1 V
end
model class Arm
  submodel (Axis) a(motor = Motor17), b
end
model M
  submodel (Arm) x, y(a.motor = Sheet, b.motor = Motor17, b.motor.R = 5 Ohm), z(a.motor.R = 9 Ohm)
  submodel (Motor17) m
  m.u = 1 V
end
