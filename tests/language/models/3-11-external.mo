model class Body
  external g(3), T
  local f(3), Q
  f = 2*g
  Q = T
end
model class Robot
  submodel (Body) b(2)
end
model class (Robot) OnTheMoon
  internal g(3) = [0, 0, -1.6]
end
model Surroundings
  internal g(3) = [0, 0, -9.81]
  internal T
  submodel (Robot) here
  submodel (OnTheMoon) there
  der(T) = 1
end
