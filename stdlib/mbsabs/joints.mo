{ Joints of trees, made of constraints as in figure 2 of the paper: a part of mbsabs.mo. Cut b holds a part with its own
  coordinates. }

@mbsabs

model class (Assembly, MbsAxis, MbsDirections, MbsClosing) MbsAxial
    "joint whose axis is fixed in both frames: it stays parallel to itself"
  submodel (MbsPart) part(closing=closing)
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect part at (a, b), nu at (a, b), nv at (a, b)
end

model class (MbsDerivatives) MbsTurn "angle of a joint"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut (DriveCut) ext (q(unit="rad", start=q0, state=prefer),
                      qd(unit="rad/s", start=qd0, state=prefer),
                      qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
end

model class (MbsAxial, MbsTurn) Revolute "revolute joint: b turns about the axis"
  submodel (CutPoint) point
  submodel (MbsAngle) about(n1=n1, n2=n2, n3=n3)
  about.angle = q
  about.torque = lambda
  part.turn = [axis*sin(q/2); cos(q/2)]
  connect point at (a, b), about at (a, b)
end

model class (MbsAxial) MbsAlong "joint whose b stays on the axis"
  submodel (CutPlane) across(n=u), above(n=v)
  submodel (MbsDisplacement) along(n1=n1, n2=n2, n3=n3)
  connect across at (a, b), above at (a, b), along at (a, b)
end

model class (MbsAxial) MbsParallel "joint without relative rotation"
  submodel (CutPerpendicular) uv(na=u, nb=v)
  part.turn = [0, 0, 0, 1]
  connect uv at (a, b)
end

model class (MbsAlong) MbsSlider "joint whose b slides along the axis without rotation"
  submodel (CutPerpendicular) uv(na=u, nb=v)
  part.turn = [0, 0, 0, 1]
  connect uv at (a, b)
end

model class (MbsSlider, MbsDerivatives) Prismatic "prismatic joint: b slides along the axis"
  parameter q0 (unit="m") = 0 "displacement at the start"
  parameter qd0 (unit="m/s") = 0 "velocity at the start"
  cut (DriveCut) ext (q(unit="m", start=q0, state=prefer), qd(unit="m/s", start=qd0, state=prefer),
                      qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along the axis"
  along.displacement = q
  along.force = lambda
end

model class (MbsAlong, MbsTurn) Screw "screw joint: b turns about the axis and moves along it"
  parameter pitch (unit="m") "displacement along the axis for one turn"
  local h1 (unit="m/rad") "displacement for an angle of 1"
  submodel (MbsAngle) about(n1=n1, n2=n2, n3=n3)
  h1 = pitch/6.283185307179586
  about.angle = q
  along.displacement = h1*q
  { along.force is the multiplier of the thread. }
  about.torque + h1*along.force = lambda
  part.turn = [axis*sin(q/2); cos(q/2)]
  connect about at (a, b)
end

model class (MbsAlong) Cylindrical "cylindrical joint: b slides along the axis (ext1) and turns about it (ext2)"
  parameter q01 (unit="m") = 0, qd01 (unit="m/s") = 0 "displacement and velocity at the start"
  parameter q02 (unit="rad") = 0, qd02 (unit="rad/s") = 0 "angle and angular velocity at the start"
  submodel (MbsAngle) about(n1=n1, n2=n2, n3=n3)
  submodel (MbsDisplacementCoordinate) slide(q0=q01, qd0=qd01)
  submodel (MbsAngleCoordinate) turn(q0=q02, qd0=qd02)
  cut (DriveCut) ext1, ext2
  along.displacement = slide.q
  along.force = slide.lambda
  about.angle = turn.q
  about.torque = turn.lambda
  part.turn = [axis*sin(turn.q/2); cos(turn.q/2)]
  connect about at (a, b), ext1 at slide:ext, ext2 at turn:ext
end

model class (Assembly, MbsUniversalAxes, MbsClosing) Universal
    "universal joint: b turns about na (ext1), then about nb (ext2), which turns along"
  parameter ea(3)(unit="1") = [na1, na2, na3]/max(norm([na1, na2, na3]), 1e-300)
  parameter eb(3)(unit="1") = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm([nb1, nb2, nb3]) > 0,
      "the second axis has no direction: one of nb1, nb2, nb3 must not be zero"
  submodel (MbsPart) part(closing=closing)
  submodel (CutPoint) point
  submodel (CutPerpendicular) cross(na=ea, nb=eb, cosine=ea'*eb)
  submodel (MbsTwoAngles) angles(na=ea, nb=eb)
  submodel (MbsAngleCoordinate) first(q0=q01, qd0=qd01), second(q0=q02, qd0=qd02)
  cut (DriveCut) ext1, ext2
  angles.angle1 = first.q
  angles.torque1 = first.lambda
  angles.angle2 = second.q
  angles.torque2 = second.lambda
  part.turn = angles.turn
  connect part at (a, b), point at (a, b), cross at (a, b), angles at (a, b), ext1 at first:ext,
          ext2 at second:ext
end

model class (MbsAxial, MbsPlaneCoordinates) Planar
    "planar joint: b slides along nx (ext1), along n cross nx (ext2), and turns about n (ext3)"
  submodel (CutPlane) plane(n1=n1, n2=n2, n3=n3)
  submodel (MbsDisplacement) alongx(n1=nx1, n2=nx2, n3=nx3),
                             alongy(n1=n2*nx3 - n3*nx2, n2=n3*nx1 - n1*nx3, n3=n1*nx2 - n2*nx1)
  submodel (MbsAngle) about(n1=n1, n2=n2, n3=n3)
  submodel (MbsDisplacementCoordinate) x(q0=q01, qd0=qd01), y(q0=q02, qd0=qd02)
  submodel (MbsAngleCoordinate) turn(q0=q03, qd0=qd03)
  cut (DriveCut) ext1, ext2, ext3
  alongx.displacement = x.q
  alongx.force = x.lambda
  alongy.displacement = y.q
  alongy.force = y.lambda
  about.angle = turn.q
  about.torque = turn.lambda
  part.turn = [axis*sin(turn.q/2); cos(turn.q/2)]
  connect plane at (a, b), alongx at (a, b), alongy at (a, b), about at (a, b), ext1 at x:ext,
          ext2 at y:ext, ext3 at turn:ext
end

{ --- joints with coordinates of your own --- }

model class (Interact) MbsReaction "force and torque between two frames, which follow from other equations"
end

model class (Assembly, MbsCoordinates, MbsClosing) MbsMovingFrame
    "frame b that n coordinates move; a subclass gives T and r as functions of q, and the forces of a mass along them"
  terminal T(3,3)(unit="1") "direction cosines from frame a to frame b"
  terminal r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local trace (unit="1", private),
        root(4)(unit="1", private) "four times each of the Euler parameters, where it is the largest"
  local turn(4)(unit="1", private) "Euler parameters of T"
  local inertial(n)(private)
  submodel (MbsPart) Mbs_part(closing=closing)
  submodel (MbsOrientation) Mbs_orientation
  submodel (MbsReaction) Mbs_held
  Mbs_held.rb = Mbs_held.ra + Mbs_held.Ta*r
  { The motion follows from T and r; Phi gives the forces. }
  for i = 1..n do
    lambda(i) + coordinate(i).lambda = inertial(i) -
                                       Phi(:, i)'*[Mbs_held.Tb'*Mbs_held.taub;
                                                   Mbs_held.Tb'*Mbs_held.fb]
  endfor
  trace = T(1,1) + T(2,2) + T(3,3)
  for i = 1..3 do
    root(i) = 2*sqrt(noevent(max(1 + 2*T(i, i) - trace, 1e-9)))
  endfor
  root(4) = 2*sqrt(noevent(max(1 + trace, 1e-9)))
  turn = noevent(if trace > 0 then
                 [T(2,3) - T(3,2), T(3,1) - T(1,3), T(1,2) - T(2,1), root(4)^2/4]/root(4)
                 elseif T(1,1) > T(2,2) and T(1,1) > T(3,3) then
                 [root(1)^2/4, T(1,2) + T(2,1), T(1,3) + T(3,1), T(2,3) - T(3,2)]/root(1)
                 elseif T(2,2) > T(3,3) then
                 [T(1,2) + T(2,1), root(2)^2/4, T(2,3) + T(3,2), T(3,1) - T(1,3)]/root(2)
                 else [T(1,3) + T(3,1), T(2,3) + T(3,2), root(3)^2/4, T(1,2) - T(2,1)]/root(3))
  Mbs_part.turn = turn
  Mbs_orientation.turn = turn
  connect Mbs_part at (a, b), Mbs_orientation at (a, b), Mbs_held at (a, b)
end

model class (MbsMovingFrame) JointN "joint of n degrees of freedom; a subclass gives T and r as functions of q"
  inertial = 0
end

model class (MbsOneCut) MbsOwnMass "mass of a body whose motion does not follow from that of one frame"
  terminal omega(3)(unit="rad/s"),
           acc(6) "angular velocity; acceleration [angular; linear] without gravity, in the frame"
  terminal force(6) "cut-force [torque; force], in the frame"
  local x(3)(unit="m", state=avoid), v(3)(unit="m/s", state=avoid) "position of the origin and its derivative"
  omega = wa
  x = ra
  v = der(x)
  acc = [der(wa); Ta'*(der(v) - ga)]
  taua = Ta*force(1..3)
  fa = Ta*force(4..6)
end

model class (MbsMovingFrame, MbsMassTerms) FlexibleBody
    "body with a frame b that n coordinates move; a subclass gives T and r as functions of q, and the mass"
  submodel (MbsOwnMass) Mbs_own
  omega = Mbs_own.omega
  Mbs_own.force = Irr*Mbs_own.acc + Irq*qdd + br
  inertial = Irq'*Mbs_own.acc + Iqq*qdd + bq
  connect Mbs_own at a
end
