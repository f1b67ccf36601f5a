model class Body
  external g, h
  external k = 3
  local f
  f = g + h + k
end
model Surroundings
  internal g(3) = [0, 0, -9.81]
  submodel (Body) b
end
