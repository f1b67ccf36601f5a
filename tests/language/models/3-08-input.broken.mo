model class Lag
  input u
  local x
  der(x) = u - x
end
model Inputs
  input w
  submodel (Lag) a, b
  a.u = w
  w = 2
end
