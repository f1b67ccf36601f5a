{ Constraints between two frames, each with its multiplier, and the coordinates of parts: a part of mbsabs.mo. }

@mbsabs

model class (MbsTwoCut, MbsClosing) MbsPart
    "the frame at b moves with a part that has its own coordinates; nothing holds it at a. None where a joint closes a loop"
  local x(3)(unit="m", state=avoid),
        p(4)(unit="1", state=avoid) "coordinates: the origin of b and the Euler parameters (4)"
  terminal turn(4)(unit="1") "Euler parameters of b relative to a, from the coordinates of the joint"
  local by(4)(unit="1") "Euler parameters of b from those of a and turn"
  local gap(4)(unit="1", start=0, fixed=false, state=avoid)
        "difference to them, with which the solution of the constraints begins"
  local e(3)(unit="1"), T(3,3)(unit="1", state=avoid), w(3)(unit="rad/s", state=avoid)
  fa = 0
  taua = 0
  fb = 0
  taub = 0
  rb = x
  pb = p
  Tb = T
  wb = w
  e = p(1..3)
  by = [pa(4)*turn(1..3) + turn(4)*pa(1..3) + cross(pa(1..3), turn(1..3));
        pa(4)*turn(4) - pa(1..3)'*turn(1..3)]
  p = by + gap
  if not closing then
    { (7), (9) }
    T = (2*p(4)^2 - 1)*identity(3) + 2*e*e' + 2*p(4)*skew(e)
    w = 2*[p(4), p(3), -p(2), -p(1); -p(3), p(4), p(1), -p(2); p(2), -p(1), p(4), -p(3)]*der(p)
    gb = ga
    { (5), as the length of the other ones is 1 }
    gap'*(2*by + gap) = 0
  endif
end

model class (Interact) MbsApplied "force on b in its origin and torque on b, and their reactions at a"
  terminal force(3)(unit="N"), torque(3)(unit="N.m") "resolved in the inertial frame"
  fb = -force
  taub = -torque
end

model class (MbsTwoCut) CutPoint "point constraint: the origins of a and b stay together"
  { (25) }
  rb = ra
  fa + fb = 0
  taua = 0
  taub = 0
end

model class (Interact, MbsNormal) CutPlane
    "plane constraint: the origin of b stays in the plane through the origin of a with a normal that is fixed in a"
  terminal force (unit="N") "force on b along the normal, times the length of n"
  local n(3)(unit="1") "normal, resolved in the inertial frame"
  { (26) }
  n = Ta*[n1, n2, n3]
  (rb - ra)'*n = 0
  fb = -force*n
  taub = 0
end

model class (Interact) CutPerpendicular
    "perpendicular constraint: a direction that is fixed in a stays perpendicular to one that is fixed in b"
  parameter na1 (unit="1") = 0 "direction in a, 1"
  parameter na2 (unit="1") = 0 "direction in a, 2"
  parameter na3 (unit="1") = 0 "direction in a, 3"
  parameter nb1 (unit="1") = 0 "direction in b, 1"
  parameter nb2 (unit="1") = 0 "direction in b, 2"
  parameter nb3 (unit="1") = 0 "direction in b, 3"
  parameter cosine (unit="1") = 0 "of the angle between unit vectors that are not perpendicular"
  terminal torque (unit="N.m") "torque on b about na cross nb, over their lengths"
  local na(3)(unit="1"), nb(3)(unit="1") "the directions, resolved in the inertial frame"
  assert norm([na1, na2, na3]) > 0,
      "the first direction is zero: one of na1, na2, na3 must not be zero"
  assert norm([nb1, nb2, nb3]) > 0,
      "the second direction is zero: one of nb1, nb2, nb3 must not be zero"
  { (27) }
  na = Ta*[na1, na2, na3]
  nb = Tb*[nb1, nb2, nb3]
  na'*nb = cosine
  fb = 0
  taub = -torque*cross(na, nb)
end

model class (Interact, MbsDirections) MbsAngle
    "angle of b against a about an axis that both have, and the torque about it"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  terminal angle (unit="rad"), torque (unit="N.m") "torque on b about the axis"
  local half (unit="1")
  { The sine of half the error of the angle, from Euler parameters, which are [n*sin(angle/2); cos(angle/2)] for b relative to a; and the sine of
    the error, from directions across the axis. Within a turn the sum vanishes for the angle only, the sine for the opposite one
    too; where the axis of b is opposite to that of a, the first is zero for all angles. }
  half = axis'*(pa(4)*pb(1..3) - pb(4)*pa(1..3) - cross(pa(1..3), pb(1..3)))*cos(angle/2) -
         pa'*pb*sin(angle/2)
  3*half + (Tb*u)'*(Ta*(v*cos(angle) - u*sin(angle))) = 0
  fb = 0
  taub = -torque*(Tb*axis)
end

model class (Interact) MbsDisplacement
    "displacement of b against a along an axis that is fixed in a, and the force along it"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  terminal displacement (unit="m"), force (unit="N") "force on b along the axis"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  displacement = (rb - ra)'*(Ta*axis)
  fb = -force*(Ta*axis)
  taub = 0
end

model class (Interact) MbsTwoAngles
    "angles of b against a about an axis na that is fixed in a, then about nb that is fixed in b, and the torques about them"
  parameter na(3)(unit="1"), nb(3)(unit="1") "unit vectors of the axes in the home position"
  terminal angle1 (unit="rad"), angle2 (unit="rad") "about na and nb"
  terminal torque1 (unit="N.m"), torque2 (unit="N.m") "on b"
  terminal turn(4)(unit="1") "Euler parameters of b relative to a that belong to the angles"
  parameter m(3)(unit="1") = cross(na, nb), k (unit="1") = na'*nb, square (unit="1") = m'*m
  local e(3)(unit="1"), e4 (unit="1") "Euler parameters of b relative to a"
  local e1 (unit="1"), e2 (unit="1"), e12 (unit="1") "shares of e along na, nb and m"
  local xa(3)(unit="1"), xb(3)(unit="1"),
        y(3)(unit="1") "axes and their normal, resolved in the inertial frame"
  local s1 (unit="1"), c1 (unit="1"), s2 (unit="1"), c2 (unit="1") "of half the angles"
  s1 = sin(angle1/2)
  c1 = cos(angle1/2)
  s2 = sin(angle2/2)
  c2 = cos(angle2/2)
  turn = [c2*s1*na + c1*s2*nb + s1*s2*m; c1*c2 - s1*s2*k]
  e = pa(4)*pb(1..3) - pb(4)*pa(1..3) - cross(pa(1..3), pb(1..3))
  e4 = pa'*pb
  e1 = e'*cross(nb, m)/square
  e2 = e'*cross(m, na)/square
  e12 = e'*m/square
  { e1 = s1*c2, e2 = c1*s2, e12 = s1*s2 and e4 + k*e12 = c1*c2, by which the angles count turns. }
  c1*(e1*c2 + e12*s2) = s1*((e4 + k*e12)*c2 + e2*s2)
  c2*(e2*c1 + e12*s1) = s2*((e4 + k*e12)*c1 + e1*s1)
  xa = Ta*na
  xb = Tb*nb
  y = cross(xa, xb)
  fb = 0
  { torque1 about xa and torque2 about xb; none about their normal }
  taub = -(torque1*cross(xb, y) + torque2*cross(y, xa))/square
end

model class (Interact) MbsOrientation
    "b is turned against a by given Euler parameters, which may change as they like: without torque"
  terminal turn(4)(unit="1") "Euler parameters of b relative to a, of length 1"
  { The vector of the Euler parameters of b relative to a frame that is turned so. }
  turn(4)*(pa(4)*pb(1..3) - pb(4)*pa(1..3) - cross(pa(1..3), pb(1..3))) - pa'*pb*turn(1..3) -
      cross(turn(1..3), pa(4)*pb(1..3) - pb(4)*pa(1..3) - cross(pa(1..3), pb(1..3))) = 0
  fb = 0
  taub = 0
end

model class (Interact) MbsCardanAngles
    "three angles of b against a, about axes 1, 2 and 3 that turn along, and the torques about them"
  terminal angle(3)(unit="rad"), torque(3)(unit="N.m") "on b"
  terminal turn(4)(unit="1") "Euler parameters of b relative to a that belong to the angles"
  local e(3)(unit="1"), e4 (unit="1") "Euler parameters of b relative to a"
  local s(3)(unit="1"), c(3)(unit="1") "of half the angles"
  local X(3,3)(unit="1") "the axes, resolved in the inertial frame"
  s = [sin(angle(1)/2), sin(angle(2)/2), sin(angle(3)/2)]
  c = [cos(angle(1)/2), cos(angle(2)/2), cos(angle(3)/2)]
  turn = [s(1)*c(2)*c(3) + c(1)*s(2)*s(3), c(1)*s(2)*c(3) - s(1)*c(2)*s(3),
          c(1)*c(2)*s(3) + s(1)*s(2)*c(3),
          c(1)*c(2)*c(3) - s(1)*s(2)*s(3)]
  e = pa(4)*pb(1..3) - pb(4)*pa(1..3) - cross(pa(1..3), pb(1..3))
  e4 = pa'*pb
  turn(4)*e - e4*turn(1..3) - cross(turn(1..3), e) = 0
  X(:,1) = Ta*[1, 0, 0]
  X(:,2) = Ta*[0, cos(angle(1)), sin(angle(1))]
  X(:,3) = Tb*[0, 0, 1]
  fb = 0
  X'*taub = -torque
end

model class MbsDerivatives "derivatives of a coordinate, whose cut a subclass declares"
  qd = der(q)
  qdd = der(qd)
end

model class (MbsDerivatives) MbsAngleCoordinate "angle of a joint with several coordinates"
  parameter q0 (unit="rad") = 0, qd0 (unit="rad/s") = 0 "angle and angular velocity at the start"
  main cut (DriveCut) ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0),
                           qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
end

model class (MbsDerivatives) MbsDisplacementCoordinate "displacement of a joint with several coordinates"
  parameter q0 (unit="m") = 0, qd0 (unit="m/s") = 0 "displacement and velocity at the start"
  main cut (DriveCut) ext (q(unit="m", start=q0), qd(unit="m/s", start=qd0),
                           qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along the axis"
end
