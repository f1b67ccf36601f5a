model class Body
  parameter m (unit="kg", min=0, max=10) = 2
  local x (unit="m", display="mm", start=1, fixed=true, nominal=10), v (unit="m/s", state=prefer, start=2), a (state=never)
  local y (state=avoid, fixed=false, start=3), z(2)(start=[4, 5]), w(2)(start=6), J(2,2)(symmetric, unit="kg")
  v = der(x)
  a = der(v)
  parameter c (unit="N/m") = 8
  m*a = -c*x
  der(y) = x
  der(z) = w
  der(w) = -z
  J = m*identity(2)
end
model Attributes
  submodel (Body) b
end
