model class Decay
  parameter x0 = 5
  local x (start=x0), y, z(2)(start=[1, x0]), w(2)(start=3)
  der(x) = -x
  der(y) = 1 - y
  der(z) = -z
  der(w) = w
end
model Starts
  submodel (Decay) a, b(x0 = 6)
end
