{ jacobian of what is no function of the variables alone, by what is no variable, of three dimensions }
model class Wheel
  parameter radius (unit="m") = 0.3
  terminal phi, other
  local x(2)(unit="m"), J(2)(unit="m")
  x = radius*[cos(phi), sin(phi)*other]
  J = jacobian(x, phi)
end

model Wheels
  submodel (Wheel) w
  local q(2), T(2,2), D(2,2), E(2,2), k, y
  w.phi = time
  w.other = 1
  q = [time, 2*time]
  T = [q(1), time; 0, 1]
  D = jacobian(T, q)
  E = jacobian(T, q(1))
  k = sum(jacobian(q(1)^2, 2*q))
  y = jacobian(if q(1) > 0 then 1 else 2, q(1))
end
