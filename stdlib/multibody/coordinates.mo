{ Coordinates of joints with several of them: a part of each multibody library. }

@mbs

model class MbsCoordinates "coordinates of a joint of n degrees of freedom"
  parameter (Integer) n = 1 "number of coordinates"
  parameter q0(n) = zeros(n), qd0(n) = zeros(n) "coordinates and their derivatives at the start"
  terminal q(n)(start=q0), qd(n)(start=qd0),
           qdd(n) "coordinates, independent of each other, and their derivatives"
  terminal lambda(n) "applied forces along the coordinates"
  terminal Phi(6, n) "Phi*qd is the velocity of b relative to a, [angular; linear], resolved in frame b"
  terminal zeta(6) "Phi*qdd + zeta is the acceleration of b as seen from frame a, resolved in frame b"
  submodel (MbsCoordinate) coordinate(n) "each with its cut ext"
  default lambda = zeros(n)
  qd = der(q)
  qdd = der(qd)
  for i = 1..n do
    coordinate(i).q = q(i)
    coordinate(i).qd = qd(i)
    coordinate(i).qdd = qdd(i)
  endfor
end
