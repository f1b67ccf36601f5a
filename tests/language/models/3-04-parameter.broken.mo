model class Body
  parameter m, I(3,3)
  terminal t
  t = m*I(1,1)
end
model class Arm
  submodel (Body) b(m = 1)
end
model Bodies
  parameter a, b = c, c = b, d(2) = 3, e = time
  submodel (Arm) left
end
