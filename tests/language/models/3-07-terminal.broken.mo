model class Gain
  terminal u, y
  local h
  h = u
  y = 2*h
end
model Terminals
  submodel (Gain) g
  g.u = 1
  g.v = 2
  g.h = 3
end
