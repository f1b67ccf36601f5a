{ Joints of three and six degrees of freedom: a part of mbsabs.mo. The coordinates p of Spherical and Free are Euler parameters of
  frame b relative to frame a, which follow from the relative angular velocity w. They may have any length, as those of mbs.mo. The
  Euler parameters of the part have the length 1. }

@mbsabs

model class (Assembly) Turning "joint in which b turns freely"
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
  submodel (MbsPart) part
  submodel (MbsOrientation) orientation
  submodel (MbsApplied) applied
  default tau = zeros(3)
  e = p(1..3)
  der(p) = [p(4)*w + cross(e, w); -e'*w]/2
  alpha = der(w)
  part.turn = p/norm(p)
  orientation.turn = part.turn
  applied.torque = part.Tb*tau
  connect orientation at (a, b), applied at (a, b)
  connect part at (a, b)
end

model class (Turning) Spherical "spherical joint: the origins of both frames are one point"
  submodel (CutPoint) point
  applied.force = zeros(3)
  connect point at (a, b)
end

model class (Turning) Free "no joint: b moves freely relative to a, and only the applied force and torque pass"
  parameter x1 (unit="m") = 0 "position of b at the start, resolved in frame a, 1"
  parameter x2 (unit="m") = 0 "position, 2"
  parameter x3 (unit="m") = 0 "position, 3"
  parameter x0(3)(unit="m") = [x1, x2, x3] "all three at once"
  parameter v1 (unit="m/s") = 0 "relative velocity at the start, resolved in frame a, 1"
  parameter v2 (unit="m/s") = 0 "relative velocity, 2"
  parameter v3 (unit="m/s") = 0 "relative velocity, 3"
  parameter v0(3)(unit="m/s") = [v1, v2, v3] "all three at once"
  terminal x(3)(unit="m", state=prefer, start=x0) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", state=prefer, start=v0) "its derivative"
  terminal f(3)(unit="N") "applied force on b in its origin, resolved in frame a"
  local acc(3)(unit="m/s2") "derivative of v"
  default f = zeros(3)
  applied.force = part.Ta*f
  part.rb = part.ra + part.Ta*x
  v = der(x)
  acc = der(v)
end

model class (Assembly) SphericalCardan
    "spherical joint by three angles, about axis 1 (ext1), then 2 (ext2), then 3 (ext3); singular at q2 = 90 degrees"
  parameter q01 (unit="rad") = 0, q02 (unit="rad") = 0, q03 (unit="rad") = 0 "angles at the start"
  parameter qd01 (unit="rad/s") = 0, qd02 (unit="rad/s") = 0,
            qd03 (unit="rad/s") = 0 "their derivatives at the start"
  submodel (MbsPart) part
  submodel (CutPoint) point
  submodel (MbsCardanAngles) angles
  submodel (MbsAngleCoordinate) x(q0=q01, qd0=qd01), y(q0=q02, qd0=qd02), z(q0=q03, qd0=qd03)
  cut (DriveCut) ext1, ext2, ext3
  angles.angle = [x.q, y.q, z.q]
  angles.torque = [x.lambda, y.lambda, z.lambda]
  part.turn = angles.turn
  connect part at (a, b), point at (a, b), angles at (a, b), ext1 at x:ext, ext2 at y:ext,
          ext3 at z:ext
end

model class MbsThreeAngles "coordinates of a joint"
  parameter q01 (unit="rad") = 0, q02 (unit="rad") = 0, q03 (unit="rad") = 0 "angles at the start"
  parameter qd01 (unit="rad/s") = 0, qd02 (unit="rad/s") = 0,
            qd03 (unit="rad/s") = 0 "their derivatives at the start"
  submodel (MbsAngleCoordinate) x(q0=q01, qd0=qd01), y(q0=q02, qd0=qd02), z(q0=q03, qd0=qd03)
end

model class MbsPositionCoordinate
    "displacement that may be a coordinate of the part, too, all of which are avoided as states"
  parameter q0 (unit="m") = 0, qd0 (unit="m/s") = 0 "displacement and velocity at the start"
  main cut (DriveCut) ext (q(unit="m", start=q0, state=prefer),
                           qd(unit="m/s", start=qd0, state=prefer),
                           qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along it"
  qd = der(q)
  qdd = der(qd)
end

model class (Assembly) FreeCardan
    "no joint: three displacements (ext1 to ext3) and three angles (ext4 to ext6) as in SphericalCardan"
  parameter q01 (unit="m") = 0, q02 (unit="m") = 0, q03 (unit="m") = 0 "displacements at the start"
  parameter qd01 (unit="m/s") = 0, qd02 (unit="m/s") = 0,
            qd03 (unit="m/s") = 0 "their derivatives at the start"
  parameter q04 (unit="rad") = 0, q05 (unit="rad") = 0, q06 (unit="rad") = 0 "angles at the start"
  parameter qd04 (unit="rad/s") = 0, qd05 (unit="rad/s") = 0,
            qd06 (unit="rad/s") = 0 "their derivatives at the start"
  submodel (MbsPart) part
  submodel (MbsDisplacement) along1(n1=1), along2(n2=1), along3(n3=1)
  submodel (MbsCardanAngles) angles
  submodel (MbsPositionCoordinate) x(q0=q01, qd0=qd01), y(q0=q02, qd0=qd02), z(q0=q03, qd0=qd03)
  submodel (MbsThreeAngles) turn(q01=q04, q02=q05, q03=q06, qd01=qd04, qd02=qd05, qd03=qd06)
  cut (DriveCut) ext1, ext2, ext3, ext4, ext5, ext6
  along1.displacement = x.q
  along1.force = x.lambda
  along2.displacement = y.q
  along2.force = y.lambda
  along3.displacement = z.q
  along3.force = z.lambda
  angles.angle = [turn.x.q, turn.y.q, turn.z.q]
  angles.torque = [turn.x.lambda, turn.y.lambda, turn.z.lambda]
  part.turn = angles.turn
  connect part at (a, b), along1 at (a, b), along2 at (a, b), along3 at (a, b), angles at (a, b),
          ext1 at x:ext, ext2 at y:ext, ext3 at z:ext, ext4 at turn:x:ext, ext5 at turn:y:ext,
          ext6 at turn:z:ext
end
