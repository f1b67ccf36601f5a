model class Motor
  parameter R (unit="Ohm") = 1, on = 1
  parameter (Boolean) b = true
  constant c = 3
  terminal u (unit="V"), i (unit="A")
  u = R*i
end
model class Axis (class Kind = Motor)
  submodel (Motor) motor(u = 3)
  submodel (Kind) other(u = 4)
end
model class Arm
  submodel (Axis) a
end
model M
  submodel (Axis) x(motr.R = 2), y(motor.r = 2)
  submodel (Arm) p(a.motor.u = 2), q(a.motor.R = 2, a.motor.R = 3), k(a.Kind = Motor)
  submodel (Arm) s(a.b.c = 3)
  submodel (Arm) t(a.motor.c = 4), v(a.motor.b = 4)
end
