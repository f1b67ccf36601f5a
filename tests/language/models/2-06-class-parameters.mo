model class P
  parameter k = 2
  terminal e, u
  u = k*e
end
model class (P) PD
  parameter d = 0.5
  output v
  v = d*der(e)
end
model class Axis (class Control = P)
  parameter w = 1
  submodel (Control) c(k=4)
  local x
  c.e = w - x
  der(x) = c.u
end
model class Machine (class C)
  submodel (Axis) a(2)(Control = C, w = [1, 2])
end
model Axes
  submodel (Axis) a, b(Control = PD)
  submodel (Machine) m(C = PD)
end
