model class Lag
  input u
  terminal x
  der(x) = u - x
end
model Inputs
  input w, f(2)
  submodel (Lag) a, b(u = f(2))
  local y
  a.u = w + f(1)
  y = a.x + b.x
end
