{ A pendulum in Cartesian coordinates. No choice of states serves everywhere: where x is zero, x does not say on which side of it y changes. }

model Pendulum
  parameter m (unit="kg") = 0.5, g (unit="m/s2") = 9.82, L (unit="m") = 1
  local x (unit="m", start=L), y (unit="m", start=0), vx (unit="m/s"), vy (unit="m/s"), F (unit="N")
  der(x) = vx
  der(y) = vy
  m*der(vx) = -x*F/L
  m*der(vy) = -m*g - F*y/L
  x^2 + y^2 = L^2
end
