function polar(x(2)) result y(2)
  y(1) := x(1)*cos(x(2))
  y(2) := x(1)*sin(x(2))
end
model class Slide
  parameter n = 2, pitch (unit="m/rad") = 0.5
  terminal q(n)(unit="rad")
  local r(3)(unit="m"), h (unit="m"), J(3,n)(unit="m/rad"), K(3)(unit="m/rad"), S(n,n)(unit="m/rad")
  for i = 2..3 do
    r(i) = h*sin(i*q(1))
  endfor
  r(1) = h
  h = pitch*q(n)
  J = jacobian(r, q)
  K = jacobian(r, q(1))
  S = jacobian(jacobian(h*q(1), q), q)
end
model Jacobians
  submodel (Slide) a, b(n = 1)
  parameter omega (unit="rad/s") = 1
  local phi, u(2), D(2,2), e
  a.q = [phi, 2*phi]
  b.q = phi
  phi = omega*time
  u = [1 + time, time]
  D = jacobian(polar(u), u)
  e = jacobian(u(1)^2*u(2), [u(2), u(1)])'*[1, 0]
end
