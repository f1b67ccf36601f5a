model class P
  parameter k = 2
  terminal e, u
  u = k*e
end
model class Axis (class Control)
  submodel (Control) c(k=4)
end
model Axes
  submodel (Axis) a, b(Control = PID), c(Control = P, control = P), d(Control = 3)
end
