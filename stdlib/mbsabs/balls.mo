{ Joints of three and six degrees of freedom: a part of mbsabs.mo. The coordinates p of Spherical and Free are Euler parameters of
  frame b relative to frame a, which follow from the relative angular velocity w. They may have any length, as those of mbs.mo. The
  Euler parameters of the part have the length 1. }

@mbsabs

model class (Assembly, MbsEulerParameters, MbsClosing) Turning "joint in which b turns freely"
  submodel (MbsPart) part(closing=closing)
  submodel (MbsOrientation) orientation
  submodel (MbsApplied) applied
  alpha = der(w)
  der(p) = [p(4)*w + cross(e, w); -e'*w]/2
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

model class (Turning, MbsFreeStart) Free
    "no joint: b moves freely relative to a, and only the applied force and torque pass"
  terminal x(3)(unit="m", state=prefer, start=x0) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", start=v0) "its derivative"
  terminal f(3)(unit="N") "applied force on b in its origin, resolved in frame a"
  local acc(3)(unit="m/s2") "derivative of v"
  default f = zeros(3)
  applied.force = part.Ta*f
  part.rb = part.ra + part.Ta*x
  v = der(x)
  acc = der(v)
end

model class (Assembly, MbsCardanStart, MbsClosing) SphericalCardan
    "spherical joint by three angles, about axis 1 (ext1), then 2 (ext2), then 3 (ext3); singular at q2 = 90 degrees"
  submodel (MbsPart) part(closing=closing)
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

model class (MbsCardanStart) MbsThreeAngles "coordinates of a joint"
  submodel (MbsAngleCoordinate) x(q0=q01, qd0=qd01), y(q0=q02, qd0=qd02), z(q0=q03, qd0=qd03)
end

model class (MbsDerivatives) MbsPositionCoordinate
    "displacement that may be a coordinate of the part, too, all of which are avoided as states"
  parameter q0 (unit="m") = 0, qd0 (unit="m/s") = 0 "displacement and velocity at the start"
  main cut (DriveCut) ext (q(unit="m", start=q0, state=prefer),
                           qd(unit="m/s", start=qd0, state=prefer),
                           qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along it"
end

model class (Assembly, MbsFreeCardanStart, MbsClosing) FreeCardan
    "no joint: three displacements (ext1 to ext3) and three angles (ext4 to ext6) as in SphericalCardan"
  submodel (MbsPart) part(closing=closing)
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
