model class PI
  parameter k = 2
  terminal u
  u = k*time
end

model class Bare
  terminal u
  u = time
end

model class Axis (class Control = PI, class Motor)
  local x
  submodel (Control) c(k = 3)
  submodel (Motor) m
  x = c.u + Control
end

model class (Motor) Geared (class Motor)
end

model M
  submodel (Axis) a, b(Motor = 1, Control = Bare)
  submodel (Geared) g(Motor = PI)
end
