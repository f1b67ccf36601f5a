model class Line
  parameter T = 0.5
  terminal u, y
  y = delay(u, 2*T)
end
model Delay
  submodel (Line) a, b(T = 1)
  local x
  a.u = sin(time)
  b.u = a.y
  der(x) = delay(x, 0.1) - x
end
