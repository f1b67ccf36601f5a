model class Tank
  parameter A = 2
  local h
  assert A > 0, "a tank has an area"
  assert h, "a tank is not empty"
  h = A
end
model Assertions
  submodel (Tank) a(A = 0)
end
