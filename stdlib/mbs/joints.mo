{ Joints of trees: their coordinates are states, unless something else determines them. }

@mbs

model class (Interact) Joint "joint of one degree of freedom"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  local n(3)(unit="1") "unit vector of the axis, in both frames"
  local Phi(6) "Phi*qd is the velocity of b relative to a"
  local eta(6) "acceleration of b in addition to those of a and of the joint"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  qd = der(q)
  qdd = der(qd)
  { (4f), (4g), (6); (8a) for a joint that is not locked }
  vb = C*va + Phi*qd
  ab = C*aa + Phi*qdd + eta
  lambda = -Phi'*fb
end

model class (Joint) Revolute "revolute joint: b turns about the axis"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut (DriveCut) ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0),
                      qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = 0
  Phi = [n; zeros(3)]
  { (17c), (5c) for v_ab = 0, resolved in frame b }
  eta = [cross(vb(1..3), n*qd); zeros(3)]
end

model class (Joint) Prismatic "prismatic joint: b slides along the axis"
  parameter q0 (unit="m") = 0 "displacement at the start"
  parameter qd0 (unit="m/s") = 0 "velocity at the start"
  cut (DriveCut) ext (q(unit="m", start=q0), qd(unit="m/s", start=qd0),
                      qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along the axis"
  { (6) }
  T = identity(3)
  r = n*q
  Phi = [zeros(3); n]
  { (17c), (5c) }
  eta = [zeros(3); cross(va(1..3), cross(va(1..3), r) + 2*qd*n)]
end

model class (Joint) Screw "screw joint: b turns about the axis and moves along it"
  parameter pitch (unit="m") "displacement along the axis for one turn"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut (DriveCut) ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0),
                      qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
  local h1 (unit="m/rad") "displacement for an angle of 1"
  h1 = pitch/6.283185307179586
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = h1*q*n
  Phi = [n; h1*n]
  { (17c), (5c), in frame b }
  eta = [cross(vb(1..3), n*qd); T*cross(va(1..3), cross(va(1..3), r) + 2*h1*qd*n)]
end

{ --- joints with coordinates of your own --- }

model class MbsCoordinate "coordinate of a JointN as a cut, for drives, springs and stops"
  main cut (DriveCut) ext (q, qd, qdd / lambda) "coordinate and force along it"
end

model class (Interact) JointN
    "joint of n degrees of freedom; a subclass gives T, r, Phi and zeta as functions of q and qd"
  parameter (Integer) n = 1 "number of coordinates"
  parameter q0(n) = zeros(n), qd0(n) = zeros(n) "coordinates and their derivatives at the start"
  terminal q(n)(start=q0), qd(n)(start=qd0),
           qdd(n) "coordinates, independent of each other, and their derivatives"
  terminal lambda(n) "applied forces along the coordinates"
  terminal Phi(6, n) "Phi*qd is the velocity of b relative to a, [angular; linear], resolved in frame b"
  terminal zeta(6) "Phi*qdd + zeta is the acceleration of b as seen from frame a, resolved in frame b"
  local w(3)(unit="rad/s"), v(3)(unit="m/s") "velocity of b relative to a, resolved in frame b"
  local eta(6) "acceleration of b in addition to those of a and of the coordinates"
  submodel (MbsCoordinate) coordinate(n) "each with its cut ext"
  default lambda = zeros(n)
  { (6), (17c) with (5c), (4f), (4g); (8a) for a joint that is not locked }
  qd = der(q)
  qdd = der(qd)
  for i = 1..n do
    coordinate(i).q = q(i)
    coordinate(i).qd = qd(i)
    coordinate(i).qdd = qdd(i)
  endfor
  [w; v] = Phi*qd
  eta = zeta + [cross(T*va(1..3), w);
                T*cross(va(1..3), cross(va(1..3), r)) + 2*cross(T*va(1..3), v)]
  vb = C*va + [w; v]
  ab = C*aa + Phi*qdd + eta
  for i = 1..n do
    lambda(i) + coordinate(i).lambda = -Phi(:, i)'*fb
  endfor
end
