model class Ci
  parameter Ci = 1
  local x
  main cut x (V / i)
  V = Ci
  x = 2*V
end
model Spaces
  parameter Ci = 4
  submodel (Ci) Ci(Ci = Ci), C2(Ci = 2*Ci)
  local y
  node C2
  y = Ci + Ci.V
end
