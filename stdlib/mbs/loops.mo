{ Joints that close loops. They have no coordinates but constraints, whose forces are unknown: equations (13) of the paper.
  The compiler differentiates the constraints and chooses the joint coordinates that are states, unless the model does so
  (attribute state). If a loop constrains the Euler parameters of Spherical or Free, their states are selected dynamically
  during the run, so a joint of this file may hold a free body. FreeCardan does the same with angles instead of Euler
  parameters. }

@mbs

model class (MbsTwoCut) CutJoint "constraint between two cuts; a subclass gives the conditions and the force fa"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local F(3)(unit="N"),
        tau(3)(unit="N.m") "force and torque into the element at cut b, resolved in frame a"
  { (4a), (4b) }
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  fb = [T*tau; T*F]
end

model class (CutJoint) CutPoint "the origins of a and b stay together"
  { (4h) for r = 0 }
  fa = -[tau; F]
  rb = ra
end

model class (CutPoint) CutSpherical "spherical joint that closes a loop"
  tau = 0
end

model class (CutPoint) CutRevolute "revolute joint that closes a loop: five constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "u and v are perpendicular to the axis"
  local m1 (unit="N.m"), m2 (unit="N.m") "torques about u and v"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  { The axis of b stays perpendicular to u and v of a. }
  u'*(T'*n) = 0
  v'*(T'*n) = 0
  tau = u*m1 + v*m2
end

model class (CutJoint) PlanarCutRevolute "revolute joint that closes a planar loop: two constraints"
  parameter n1 (unit="1") = 0 "normal of the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"), v(3)(unit="1") "u and v are in the plane"
  local f1 (unit="N"), f2 (unit="N") "forces along u and v"
  assert norm([n1, n2, n3]) > 0,
      "the normal of the plane has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  u'*r = 0
  v'*r = 0
  F = u*f1 + v*f2
  tau = 0
  fa = -[tau; F]
end

model class (CutPoint) CutUniversal "universal joint that closes a loop: four constraints"
  parameter na1 (unit="1") = 0 "first axis, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter nb1 (unit="1") = 0 "second axis, fixed in b, perpendicular to the first, 1"
  parameter nb2 (unit="1") = 0 "second axis, 2"
  parameter nb3 (unit="1") = 0 "second axis, 3"
  local na(3)(unit="1"), nb(3)(unit="1") "unit vectors of the axes, that of b resolved in a"
  local m (unit="N.m") "torque about the normal of both axes"
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm([nb1, nb2, nb3]) > 0,
      "the second axis has no direction: one of nb1, nb2, nb3 must not be zero"
  na = [na1, na2, na3]/max(norm([na1, na2, na3]), 1e-300)
  nb = T'*([nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300))
  na'*nb = 0
  tau = cross(na, nb)*m
end

model class (CutJoint) CutPrismatic "prismatic joint that closes a loop: five constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "u and v are perpendicular to the axis"
  local f1 (unit="N"), f2 (unit="N") "forces along u and v"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  u'*r = 0
  v'*r = 0
  { No relative rotation. }
  u'*(T'*v) = 0
  v'*(T'*n) = 0
  n'*(T'*u) = 0
  F = u*f1 + v*f2
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint) CutCylindrical "cylindrical joint that closes a loop: four constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "u and v are perpendicular to the axis"
  local f1 (unit="N"), f2 (unit="N"), m1 (unit="N.m"), m2 (unit="N.m") "forces along u and v, torques about them"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  u'*r = 0
  v'*r = 0
  { The axis of b stays perpendicular to u and v of a. }
  u'*(T'*n) = 0
  v'*(T'*n) = 0
  F = u*f1 + v*f2
  tau = u*m1 + v*m2
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint) CutPlanar "planar joint that closes a loop: three constraints"
  parameter n1 (unit="1") = 0 "normal of the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "u and v are in the plane"
  local f (unit="N"), m1 (unit="N.m"), m2 (unit="N.m") "force along the normal, torques about u and v"
  assert norm([n1, n2, n3]) > 0,
      "the normal of the plane has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  n'*r = 0
  { The normal of b stays perpendicular to u and v of a. }
  u'*(T'*n) = 0
  v'*(T'*n) = 0
  F = n*f
  tau = u*m1 + v*m2
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint) RodSphericalSpherical "massless rod with a spherical joint at each end: one constraint"
  parameter length (unit="m", min=1e-300) "distance of the origins"
  terminal f (unit="N") "force along the rod; f > 0 pulls the ends together"
  r'*r = length^2
  F = f/length*r
  tau = 0
  fa = -[zeros(3); F]
end

model class (MbsOneCut) MbsWheel
    "thin wheel that rolls on the plane z = 0; a subclass tells what happens along the axle"
  parameter radius (unit="m", min=1e-300)
  parameter n1 (unit="1") = 0 "axis of the wheel, 1"
  parameter n2 (unit="1") = if n1 == 0 and n3 == 0 then 1 else 0
            "axis of the wheel, 2; without any direction it is axis 2"
  parameter n3 (unit="1") = 0 "axis of the wheel, 3"
  terminal f(3)(unit="N") "force of the ground on the wheel, resolved in the inertial frame"
  local e(3)(unit="1") "axis, resolved in the inertial frame"
  local h (unit="1") "its share in the plane"
  local d(3)(unit="m") "from the center to the lowest point of the wheel, resolved in the inertial frame"
  local slip(3)(unit="m/s") "velocity of that point of the wheel"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  e = Ta*([n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300))
  h = sqrt(e(1)^2 + e(2)^2)
  d = radius*[e(1)*e(3)/h, e(2)*e(3)/h, -h]
  ra(3) = -d(3)
  slip = Ta*va(4..6) + cross(Ta*va(1..3), d)
  slip(2)*e(1) - slip(1)*e(2) = 0  { in the direction of rolling }
  fa = -[Ta'*cross(d, f); Ta'*f]
end

model class (MbsWheel) RollingWheel
    "thin wheel that rolls on the plane z = 0 of the inertial system without sliding; the origin of the frame is its center"
  { Along the axle; redundant for wheels on one axle. }
  slip(1)*e(1) + slip(2)*e(2) = 0
end

model class (MbsWheel) MbsFollower "wheel next to another one on the same axle, which keeps both from sliding along it"
  f(1)*e(1) + f(2)*e(2) = 0
end

model class (Wrench, MbsVelocity) CutVelocity
    "nonholonomic constraint A*[w; v] = g on the motion of b relative to a; a subclass gives A and g"
end
