{ Assemblies of joints that close a planar loop: a part of mbsabs.mo.

  The rest of the mechanism determines the motion of the cuts a and b; all axes have the direction n in both of their frames. The
  rods are parts with coordinates, held by constraints as other parts. The closed solution for their angles, which mbs.mo has, is
  where the iteration for their Euler parameters begins, so that it finds the given side of the line between a and b. Positions
  in which the rods are collinear are singular. The rods are massless: connect bodies to the cuts ia, ib and im, which move with
  them. Forces perpendicular to the plane, and torques about axes in it, are transmitted by the joints at a and b. }

@mbsabs

model class (MbsAxial) MbsHinge "revolute joint whose angle follows from other constraints"
  terminal angle (unit="rad") "first guess"
  submodel (CutPoint) point
  part.turn = [axis*sin(angle/2); cos(angle/2)]
  connect point at (a, b)
end

model class (MbsRods, MbsChain) RodPair
    "rod 1 from a to m, and the element that holds m on the side of b; a subclass gives that element"
  cut (Frame) a "where rod 1 turns", b "the other side"
  cut (Frame) ia "frame of rod 1, its origin that of a"
  cut (Frame) im "frame at m, fixed to the part on the side of b"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  parameter plane(3,3)(unit="1") = identity(3) - axis*axis' "projection to the plane"
  parameter l1(3)(unit="m") = plane*[r11, r12, r13],
            l2(3)(unit="m") = plane*[r21, r22, r23] "rods in the plane"
  local dp(3)(unit="m") "from the origin of a to the origin of b, in the plane and in frame a"
  local h(3)(unit="m") "rod 1 in the plane, in frame a"
  submodel (MbsHinge) turn1(n1=n1, n2=n2, n3=n3)
  submodel (Bar) rod1(r1=r11, r2=r12, r3=r13)
  submodel (PlanarCutRevolute) pin(n1=n1, n2=n2, n3=n3)
  turn1.angle = atan2(axis'*cross(l1, h), l1'*h)
  connect a to turn1 to rod1, ia at turn1:b
end

model class (RodPair) JointRRR "three revolute joints: rod 1 from a to m, rod 2 from b to m"
  parameter side (unit="1") = sign([n1, n2, n3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the line from a to b m is: 1 or -1; as in the home position where the frames of a and b are parallel there"
  cut (Frame) ib "frame of rod 2, its origin that of b"
  local D (unit="m2"), x (unit="1") "the triangle of the rods and the line between a and b"
  local g2(3)(unit="m") "rod 2 in the plane, in frame b"
  submodel (MbsHinge) turn2(n1=n1, n2=n2, n3=n3)
  submodel (Bar) rod2(r1=r21, r2=r22, r3=r23)
  dp = plane*(turn1.part.Ta'*(turn2.part.ra - turn1.part.ra))
  D = dp'*dp
  x = (l1'*l1 - l2'*l2 + D)/(2*D)
  h = x*dp + side*sqrt(l1'*l1/D - x^2)*cross(axis, dp)
  g2 = turn2.part.Ta'*(turn1.part.Ta*(h - dp))
  turn2.angle = atan2(axis'*cross(l2, g2), l2'*g2)
  connect b to turn2 to rod2, pin at (rod1:b, rod2:b), ib at turn2:b, im at rod2:b
end

model class (RodPair, MbsRodSlider) JointRRP "rod 1 from a, a revolute joint at m, and a slider that holds m along b"
  cut (Frame) ib "frame of the slider, at b in the home position"
  cut (DriveCut) ext (s(unit="m", state=avoid), sd(unit="m/s", state=avoid),
                      sdd(unit="m/s2") / lambda(unit="N")) "displacement of the slider and force along it"
  parameter slide(3)(unit="1") = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  local R(3,3)(unit="1") "direction cosines from frame b to frame a"
  local e(3)(unit="1"), q(3)(unit="m"),
        qe (unit="m") "path of the slider; from a to m where it is at b, and along the path"
  submodel (MbsSlider) slider(n1=nb1, n2=nb2, n3=nb3)
  submodel (Bar) rod2(r1=r21, r2=r22, r3=r23)
  dp = plane*(turn1.part.Ta'*(slider.part.ra - turn1.part.ra))
  R = turn1.part.Ta'*slider.part.Ta
  e = R*slide
  q = dp + plane*(R*[r21, r22, r23])
  qe = q'*e
  h = q + (side*sqrt(qe^2 - q'*q + l1'*l1) - qe)*e
  sd = der(s)
  sdd = der(sd)
  slider.along.displacement = s
  slider.along.force = lambda
  connect b to slider to rod2, pin at (rod1:b, rod2:b), ib at slider:b, im at rod2:b
end

model class (MbsCylinder, MbsChain) JointRPR
    "hydraulic cylinder and the like: revolute joint at a, a slider, revolute joint at b"
  cut (Frame) a "where the cylinder turns", b "where the rod turns"
  cut (Frame) ia "frame of the cylinder, its origin that of a",
      ib "frame of the rod, its origin that of b"
  cut (DriveCut) ext (s(unit="m", state=avoid), sd(unit="m/s", state=avoid),
                      sdd(unit="m/s2") / lambda(unit="N")) "displacement of the slider and force along it"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  parameter plane(3,3)(unit="1") = identity(3) - axis*axis' "projection to the plane"
  parameter l1(3)(unit="1") = plane*[r11, r12, r13]/max(norm(plane*[r11, r12, r13]), 1e-300)
  parameter vp(3)(unit="1") = cross(axis, l1) "across the cylinder"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  submodel (MbsHinge) turn(n1=n1, n2=n2, n3=n3)
  submodel (MbsParallel) rod(n1=n1, n2=n2, n3=n3)
  submodel (CutPlane) across(n=vp)
  submodel (MbsDisplacement) along(n=l1), above(n1=n1, n2=n2, n3=n3),
                             apart(n1=n1, n2=n2, n3=n3)
  submodel (PlanarCutRevolute) pin(n1=n1, n2=n2, n3=n3)
  d = apart.Ta'*(apart.rb - apart.ra)
  turn.angle = atan2(axis'*cross(l1, d), l1'*d)
  sd = der(s)
  sdd = der(sd)
  along.displacement = s + s0
  along.force = lambda
  { The cylinder holds the rod where b is along the axis. }
  above.displacement = apart.displacement
  apart.force = 0
  connect a to turn to rod, across at (turn:b, rod:b), along at (turn:b, rod:b),
          above at (turn:b, rod:b), apart at (a, b),
          pin at (rod:b, b), ia at turn:b, ib at rod:b
end
