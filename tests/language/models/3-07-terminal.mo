model class Gain
  parameter k = 2
  terminal u, y(2)
  y = [k*u, u]
end
model class Two
  submodel (Gain) a, b
  terminal u
  a.u = u
  b.u = a.y(1)
end
model Terminals
  submodel (Two) t
  local z(2)
  t.u = time
  z = t.b.y
end
