model class Lag
  output y(2)
  local x
  der(x) = 1 - x
  y = [x, 2*x]
end
model Outputs
  submodel (Lag) a
  output z, w(2)
  z = a.y(1)
  w = a.y
end
