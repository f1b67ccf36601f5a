model class Tank
  parameter A = 2
  local h (start=1)
  assert A > 0, "a tank has an area"
  assert h >= 0, "a tank is not emptier than empty"
  A*der(h) = -h
end
model Assertions
  submodel (Tank) a, b(A = 1)
end
