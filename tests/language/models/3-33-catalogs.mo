model class Motor
  parameter R (unit="Ohm") = 1, k (unit="V.s") = 0.1, maker = "none"
  terminal u (unit="V"), i (unit="A"), w (unit="rad/s")
  u = R*i + k*w
  assert i < 1000 A, "the motor of {maker} has {i} A"
end

model class Drive
  submodel (Motor) motor(k=0.5)
  motor.u = 24 V
  motor.w = 1 rad/s
end

model Drives
  parameter motor = "RE 40"
  submodel (Drive) a(motor=row("data/motors.csv", motor)),
                   b(motor=row("data/motors.csv", "RE 30"), motor.k=0.2)
  submodel (Motor) c(row("data/motors.csv", motor), k=0.3)
  c.u = 1 V
  c.w = 0 rad/s
end
