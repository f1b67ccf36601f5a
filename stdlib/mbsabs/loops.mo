{ Joints that close loops: a part of mbsabs.mo. They have no coordinates but constraints, as those of trees, whose forces are the
  multipliers. }

@mbsabs

model class (Assembly) CutJoint "constraints between two cuts"
end

model class (CutPoint) CutSpherical "spherical joint that closes a loop"
end

model class (CutJoint) CutRevolute "revolute joint that closes a loop: five constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the axis"
  parameter s(3)(unit="1") = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1") = s/norm(s),
            v(3)(unit="1") = cross(axis, u) "perpendicular to the axis and to each other"
  submodel (CutPoint) point
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect point at (a, b), nu at (a, b), nv at (a, b)
end

model class (CutJoint) PlanarCutRevolute "revolute joint that closes a planar loop: two constraints"
  parameter n1 (unit="1") = 0 "normal of the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  assert norm([n1, n2, n3]) > 0,
      "the normal of the plane has no direction: one of n1, n2, n3 must not be zero"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the axis"
  parameter s(3)(unit="1") = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1") = s/norm(s),
            v(3)(unit="1") = cross(axis, u) "perpendicular to the axis and to each other"
  submodel (CutPlane) across(n=u), above(n=v)
  connect across at (a, b), above at (a, b)
end

model class (CutJoint) CutUniversal "universal joint that closes a loop: four constraints"
  parameter na1 (unit="1") = 0 "first axis, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter nb1 (unit="1") = 0 "second axis, fixed in b, perpendicular to the first, 1"
  parameter nb2 (unit="1") = 0 "second axis, 2"
  parameter nb3 (unit="1") = 0 "second axis, 3"
  submodel (CutPoint) point
  submodel (CutPerpendicular) cross(na1=na1, na2=na2, na3=na3, nb1=nb1, nb2=nb2, nb3=nb3)
  connect point at (a, b), cross at (a, b)
end

model class (CutJoint) CutPrismatic "prismatic joint that closes a loop: five constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the axis"
  parameter s(3)(unit="1") = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1") = s/norm(s),
            v(3)(unit="1") = cross(axis, u) "perpendicular to the axis and to each other"
  submodel (CutPlane) across(n=u), above(n=v)
  submodel (CutPerpendicular) uv(na=u, nb=v), vn(na=v, nb=axis), nu(na=axis, nb=u)
  connect across at (a, b), above at (a, b), uv at (a, b), vn at (a, b), nu at (a, b)
end

model class (CutJoint) CutCylindrical "cylindrical joint that closes a loop: four constraints"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  assert norm([n1, n2, n3]) > 0,
      "the axis has no direction: one of n1, n2, n3 must not be zero"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the axis"
  parameter s(3)(unit="1") = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1") = s/norm(s),
            v(3)(unit="1") = cross(axis, u) "perpendicular to the axis and to each other"
  submodel (CutPlane) across(n=u), above(n=v)
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect across at (a, b), above at (a, b), nu at (a, b), nv at (a, b)
end

model class (CutJoint) CutPlanar "planar joint that closes a loop: three constraints"
  parameter n1 (unit="1") = 0 "normal of the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  assert norm([n1, n2, n3]) > 0,
      "the normal of the plane has no direction: one of n1, n2, n3 must not be zero"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the normal"
  parameter s(3)(unit="1") = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1") = s/norm(s),
            v(3)(unit="1") = cross(axis, u) "perpendicular to the normal and to each other"
  submodel (CutPlane) plane(n=axis)
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect plane at (a, b), nu at (a, b), nv at (a, b)
end

model class (Interact) RodSphericalSpherical "massless rod with a spherical joint at each end: one constraint"
  parameter length (unit="m", min=1e-300) "distance of the origins"
  terminal f (unit="N") "force along the rod; f > 0 pulls the ends together"
  (rb - ra)'*(rb - ra) = length^2
  fb = f/length*(rb - ra)
  taub = 0
end

model class (MbsOneCut) MbsWheel
    "thin wheel that rolls on the plane z = 0; a subclass tells what happens along the axle"
  parameter radius (unit="m", min=1e-300)
  parameter n1 (unit="1") = 0 "axis of the wheel, 1"
  parameter n2 (unit="1") = if n1 == 0 and n3 == 0 then 1 else 0
            "axis of the wheel, 2; without any direction it is axis 2"
  parameter n3 (unit="1") = 0 "axis of the wheel, 3"
  terminal f(3)(unit="N") "force of the ground on the wheel, resolved in the inertial frame"
  local x(3)(unit="m", state=avoid) "position of the center"
  local e(3)(unit="1") "axis, resolved in the inertial frame"
  local h (unit="1") "its share in the plane"
  local d(3)(unit="m") "from the center to the lowest point of the wheel, resolved in the inertial frame"
  local slip(3)(unit="m/s") "velocity of that point of the wheel"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  e = Ta*([n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300))
  h = sqrt(e(1)^2 + e(2)^2)
  d = radius*[e(1)*e(3)/h, e(2)*e(3)/h, -h]
  ra(3) = -d(3)
  x = ra
  slip = der(x) + cross(Ta*wa, d)
  slip(2)*e(1) - slip(1)*e(2) = 0  { in the direction of rolling }
  fa = -f
  taua = -cross(d, f)
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
