model class Motor
  parameter R (unit="V") = 1, k (unit="V.s") = 0.1
  terminal u
  u = R
end

model class Drive
  submodel (Motor) motor
end

model Drives
  submodel (Drive) a(motor=row("data/motors.csv", "RE 41")), b(motor=row("data/motor.csv", "RE 30"))
  submodel (Motor) c(row("data/motors.csv", "RE 40")), d(row("data/motors.csv", 40))
end
