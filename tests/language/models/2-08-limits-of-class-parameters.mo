model class Controller "what a controller has"
  parameter k = 1
  terminal e, u
end

model class (Controller) P
  u = k*e
end

model class PD "no subclass, but it has all of it"
  parameter k = 2, d = 0.1
  input e
  output u
  u = k*e + d*der(e)
end

model class Axis (class (Controller) Control = P)
  submodel (Control) c(k=4)
  local x (start=0)
  c.e = 1 - x
  der(x) = c.u
end

model class (Axis) Quick (class Control = PD)
end

model Axes
  submodel (Axis) a, b(Control=PD)
  submodel (Quick) q
end
