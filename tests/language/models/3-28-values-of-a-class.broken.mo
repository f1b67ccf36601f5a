model class Motor
  parameter R (unit="Ohm") = 1, k = 2
  parameter (Boolean) on = true
  local u
  u = R
end
model class Sheet
  parameter R = 3, k = 2*R
end
model class Other
  parameter R = 3 V, J = 4, on = 1
end
model class Axis
  submodel (Motor) motor
end
model M
  submodel (Axis) a(motor = Sheet), b(motor = Other), c(motor = 3), d(motor = Shet), e(motor = Sheet, motor = Other)
end
