model class Body
  external p (unit="bar")
  local w
  w = p
end

model M
  internal p (unit="Pa") = 1e5
  submodel (Body) b
end
