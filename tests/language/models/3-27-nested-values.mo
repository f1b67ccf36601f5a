model class Motor
  parameter R = 1, k = 2, n1 = 1, n2 = 0
  terminal u, i
  u = R*i
end
model class Drive
  parameter gain = 10
  submodel (Motor) motor(R = 5)
  motor.u = gain*motor.k*1
end
model class Axis
  submodel (Drive) drive(gain = 3, motor.k = 7), spare(2)
end
model M
  parameter r = 4
  submodel (Axis) a, b(drive.motor.R = 2*r, drive.gain = 6, drive.motor.k = 1, spare.motor.R = 9, spare.gain = [4, 5])
end
