{ Parameters of elements, and what must be true of them: a part of each multibody library. A class here is a superclass next to
  one of the formulation. }

@mbs

model class MbsChain "element from a to b, cuts that a subclass declares"
  main cut c [a, b]
  main path p <a - b>
end

model class MbsClosing "joint that may close a loop"
  parameter (Boolean) closing = false
            "true: the joint closes a loop: its motion follows from that of its two cuts. The compiler chooses one joint of each loop, unless one is given here"
end

model class MbsGravity "direction and size of gravity"
  parameter ng1 (unit="1") = 0 "direction of gravity, 1; without a direction there is no gravity"
  parameter ng2 (unit="1") = 0 "direction of gravity, 2"
  parameter ng3 (unit="1") = 0 "direction of gravity, 3"
  parameter g (unit="m/s2") = 9.81 "acceleration of gravity"
  local ng(3)(unit="1")
  ng = [ng1, ng2, ng3]
end

model class MbsInertia "mass, center of mass and inertia of a rigid body"
  parameter m (unit="kg", min=0) = 0 "mass"
  parameter r1 (unit="m") = 0 "from the origin of the cut-frame to the center of mass, 1"
  parameter r2 (unit="m") = 0 "center of mass, 2"
  parameter r3 (unit="m") = 0 "center of mass, 3"
  parameter I11 (unit="kg.m2", min=0) = 0 "inertia tensor about the center of mass, 1,1"
  parameter I22 (unit="kg.m2", min=0) = 0 "inertia tensor, 2,2"
  parameter I33 (unit="kg.m2", min=0) = 0 "inertia tensor, 3,3"
  parameter I21 (unit="kg.m2") = 0 "inertia tensor, 2,1"
  parameter I31 (unit="kg.m2") = 0 "inertia tensor, 3,1"
  parameter I32 (unit="kg.m2") = 0 "inertia tensor, 3,2"
  parameter (Boolean) any_inertia = false
            "true: accepts an inertia that no body can have, as some published models give it"
  { The sum of m*x*x' over the masses of a body, x from its center, is (I11 + I22 + I33)/2*E - I, with the diagonal S11, S22, S33:
    a matrix without negative minors, which is the triangle inequality about all axes. A tensor without some element of the
    diagonal passes: it describes a body that turns about one axis only. }
  parameter S11 (unit="kg.m2") = (I22 + I33 - I11)/2, S22 (unit="kg.m2") = (I11 + I33 - I22)/2,
            S33 (unit="kg.m2") = (I11 + I22 - I33)/2
  assert any_inertia or I11*I22*I33 == 0 or min(S11, min(S22, S33)) >= -1e-6*(I11 + I22 + I33) and
      min(S11*S22 - I21^2, min(S11*S33 - I31^2, S22*S33 - I32^2)) >= -1e-6*(I11 + I22 + I33)^2 and
      S11*S22*S33 - 2*I21*I31*I32 - S11*I32^2 - S22*I31^2 - S33*I21^2 >= -1e-6*(I11 + I22 + I33)^3,
      "no rigid body has this inertia: the moment about one axis exceeds the sum of the two others (I11, I22, I33, I21, I31, I32); any_inertia=true accepts it"
  assert any_inertia or I11*I22 >= I21^2 and I11*I33 >= I31^2 and I22*I33 >= I32^2,
      "no rigid body has this inertia: I21, I31 or I32 is too large; any_inertia=true accepts it"
end

model class MbsOffset "displacement of frame b relative to frame a"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
end

model class MbsPlacement "rotation and displacement of frame b relative to frame a"
  parameter n1 (unit="1") = 0 "axis about which frame b is turned, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = if n1 == 0 and n2 == 0 then 1 else 0 "axis, 3; without any direction it is axis 3"
  parameter angle (unit="rad") = 0 "angle of the rotation"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, resolved in frame a, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
end

model class MbsAxis "axis of a joint"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
end

model class MbsDirections "directions across an axis or a normal"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300) "unit vector of the axis"
  parameter s(3)(unit="1", private) = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  parameter u(3)(unit="1", private) = s/norm(s),
            v(3)(unit="1", private) = cross(axis, u) "perpendicular to the axis and to each other"
end

model class (MbsAxis, MbsDirections) MbsAxisFrame "an axis and directions across it"
end

model class MbsNormal "normal of a plane"
  parameter n1 (unit="1") = 0 "normal of the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  assert norm([n1, n2, n3]) > 0,
      "the normal of the plane has no direction: one of n1, n2, n3 must not be zero"
end

model class MbsUniversalAxes "axes and start values of a universal joint"
  parameter na1 (unit="1") = 0 "first axis, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter nb1 (unit="1") = 0 "second axis, 1"
  parameter nb2 (unit="1") = 0 "second axis, 2"
  parameter nb3 (unit="1") = 0 "second axis, 3"
  parameter q01 (unit="rad") = 0,
            qd01 (unit="rad/s") = 0 "angle about na and its derivative at the start"
  parameter q02 (unit="rad") = 0,
            qd02 (unit="rad/s") = 0 "angle about nb and its derivative at the start"
  assert norm([na1, na2, na3])*norm([nb1, nb2, nb3]) == 0 or
      norm(cross([na1, na2, na3], [nb1, nb2, nb3])) > 1e-9*norm([na1, na2, na3])*norm([nb1, nb2,
      nb3]),
      "the two axes na and nb are parallel: the joint turns about one axis only, which a Revolute does"
end

model class MbsPlaneCoordinates "first direction in a plane with the normal n, and start values of a planar joint"
  parameter nx1 (unit="1") = 0 "first direction in the plane, 1"
  parameter nx2 (unit="1") = 0 "first direction, 2"
  parameter nx3 (unit="1") = 0 "first direction, 3"
  parameter q01 (unit="m") = 0, qd01 (unit="m/s") = 0 "along nx, at the start"
  parameter q02 (unit="m") = 0, qd02 (unit="m/s") = 0 "along n cross nx, at the start"
  parameter q03 (unit="rad") = 0, qd03 (unit="rad/s") = 0 "about n, at the start"
  assert norm([nx1, nx2, nx3]) > 0, "nx is not given: one of nx1, nx2, nx3 must not be zero"
  assert abs(n1*nx1 + n2*nx2 + n3*nx3) <= 1e-9*norm([n1, n2, n3])*norm([nx1, nx2, nx3]),
      "nx must lie in the plane: n1*nx1 + n2*nx2 + n3*nx3 must be zero"
end

model class MbsCardanStart "start values of three angles"
  parameter q01 (unit="rad") = 0, q02 (unit="rad") = 0, q03 (unit="rad") = 0 "angles at the start"
  parameter qd01 (unit="rad/s") = 0, qd02 (unit="rad/s") = 0,
            qd03 (unit="rad/s") = 0 "their derivatives at the start"
end

model class MbsFreeCardanStart "start values of three displacements and three angles"
  parameter q01 (unit="m") = 0, q02 (unit="m") = 0, q03 (unit="m") = 0 "displacements at the start"
  parameter qd01 (unit="m/s") = 0, qd02 (unit="m/s") = 0,
            qd03 (unit="m/s") = 0 "their derivatives at the start"
  parameter q04 (unit="rad") = 0, q05 (unit="rad") = 0, q06 (unit="rad") = 0 "angles at the start"
  parameter qd04 (unit="rad/s") = 0, qd05 (unit="rad/s") = 0,
            qd06 (unit="rad/s") = 0 "their derivatives at the start"
end

model class MbsFreeStart "start values of a body that moves freely"
  parameter x1 (unit="m") = 0 "position of b at the start, resolved in frame a, 1"
  parameter x2 (unit="m") = 0 "position, 2"
  parameter x3 (unit="m") = 0 "position, 3"
  parameter x0(3)(unit="m") = [x1, x2, x3] "all three at once"
  parameter v1 (unit="m/s") = 0 "relative velocity at the start, resolved in frame a, 1"
  parameter v2 (unit="m/s") = 0 "relative velocity, 2"
  parameter v3 (unit="m/s") = 0 "relative velocity, 3"
  parameter v0(3)(unit="m/s") = [v1, v2, v3] "all three at once"
end

model class MbsEulerParameters "Euler parameters of frame b relative to frame a; a subclass gives alpha"
  parameter angle1 (unit="rad") = 0 "turn at the start: first by angle1 about axis 1 of frame a"
  parameter angle2 (unit="rad") = 0 "then by angle2 about the turned axis 2"
  parameter angle3 (unit="rad") = 0 "then by angle3 about axis 3 of frame b"
  parameter w1 (unit="rad/s") = 0 "relative angular velocity at the start, resolved in frame b, 1"
  parameter w2 (unit="rad/s") = 0 "relative angular velocity, 2"
  parameter w3 (unit="rad/s") = 0 "relative angular velocity, 3"
  parameter w0(3)(unit="rad/s") = [w1, w2, w3] "all three at once"
  parameter s1 = sin(angle1/2), c1 = cos(angle1/2), s2 = sin(angle2/2), c2 = cos(angle2/2),
            s3 = sin(angle3/2),
            c3 = cos(angle3/2) "of half the angles"
  terminal p(4)(unit="1",
                start=[s1*c2*c3 + c1*s2*s3, c1*s2*c3 - s1*c2*s3, c1*c2*s3 + s1*s2*c3,
                       c1*c2*c3 - s1*s2*s3]) "Euler parameters"
  terminal w(3)(unit="rad/s", state=prefer, start=w0) "relative angular velocity, resolved in frame b"
  terminal alpha(3)(unit="rad/s2") "its derivative"
  terminal tau(3)(unit="N.m") "applied torque on b, resolved in frame b"
  local e(3)(unit="1")
  default tau = zeros(3)
  e = p(1..3)
end

model class MbsCutUniversalAxes "axes of a universal joint that closes a loop"
  parameter na1 (unit="1") = 0 "first axis, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter nb1 (unit="1") = 0 "second axis, fixed in b, perpendicular to the first, 1"
  parameter nb2 (unit="1") = 0 "second axis, 2"
  parameter nb3 (unit="1") = 0 "second axis, 3"
end

{ --- assemblies that close a loop --- }

model class MbsRods "parameters of two rods"
  parameter n1 (unit="1") = 0 "axis of all revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="m") = 0 "rod 1, from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod 1, 2"
  parameter r13 (unit="m") = 0 "rod 1, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
end

model class MbsRodSlider "parameters of a slider that holds a rod"
  parameter nb1 (unit="1") = 0 "direction in which the slider moves, fixed in b, in a planar loop perpendicular to n, 1"
  parameter nb2 (unit="1") = 0 "direction, 2"
  parameter nb3 (unit="1") = 0 "direction, 3"
  parameter side (unit="1") = sign([r11, r12, r13]'*[nb1, nb2, nb3])
            "1: m is ahead of the foot of the perpendicular from a to the path of the slider, -1: behind it"
  assert norm([nb1, nb2, nb3]) > 0,
      "the slider has no direction: one of nb1, nb2, nb3 must not be zero"
end

model class MbsCylinder "parameters of a cylinder between two revolute joints"
  parameter n1 (unit="1") = 0 "axis of both revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="1") = 0 "direction from a to b in the home position, 1"
  parameter r12 (unit="1") = 0 "direction, 2"
  parameter r13 (unit="1") = 0 "direction, 3"
  parameter s0 (unit="m") = 0 "distance of the axes where the displacement of the slider is zero"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  assert norm(cross([n1, n2, n3], [r11, r12, r13])) > 0,
      "the cylinder has no direction across the axis: give r11, r12 or r13"
end

model class MbsUniversalRod "parameters of a rod from a universal joint"
  parameter na1 (unit="1") = 0 "first axis of the universal joint, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter r11 (unit="m") = 0 "rod from a to the other end in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm(cross([na1, na2, na3], [r11, r12, r13])) > 0,
      "the rod has no direction across the first axis: give r11, r12 or r13"
end

model class MbsRodAtAxis "parameters of a rod from a revolute joint"
  parameter nb1 (unit="1") = 0 "axis of the revolute joint, fixed in b, 1"
  parameter nb2 (unit="1") = 0 "axis of the revolute joint, 2"
  parameter nb3 (unit="1") = 0 "axis of the revolute joint, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  parameter side (unit="1") = sign([nb1, nb2, nb3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the plane through a and the revolute axis m is: 1 or -1; as in the home position"
  assert norm([nb1, nb2, nb3]) > 0,
      "the revolute axis has no direction: one of nb1, nb2, nb3 must not be zero"
end

model class (MbsRodSlider) MbsRodOnSlider "parameters of a rod on a slider"
  parameter r11 (unit="m") = 0 "rod from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
end
