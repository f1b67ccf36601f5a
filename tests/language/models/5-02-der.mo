model class Swing
  parameter m = 2
  terminal x (start=1), z(2)(start=[1, 2]), e
  m*der(der(x)) = -x
  der(z, 2) = -z
  e = der(x*x)/2
end
model Derivatives
  submodel (Swing) s
  local a, b, p
  a = der(s.x, 2)
  b = der(sin(2*time), 2) + der(time) + der(s.m)
  p = s.z'*der(s.z)
end
