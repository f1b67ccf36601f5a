{ Joints of several degrees of freedom, made of simpler ones: a part of mbs.mo, mbssim.mo and mbsmat.mo. }

@mbs

model class (Assembly, MbsClosing) Cylindrical
    "cylindrical joint: b slides along the axis (ext1) and turns about it (ext2)"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  parameter q01 (unit="m") = 0, qd01 (unit="m/s") = 0 "displacement and velocity at the start"
  parameter q02 (unit="rad") = 0, qd02 (unit="rad/s") = 0 "angle and angular velocity at the start"
  submodel (Prismatic) slide(n1=n1, n2=n2, n3=n3, q0=q01, qd0=qd01)
  submodel (Revolute) turn(n1=n1, n2=n2, n3=n3, q0=q02, qd0=qd02, closing=closing)
  submodel (LoopJoint) loose if closing
  cut (DriveCut) ext1, ext2
  connect a to slide to turn to b, ext1 at slide:ext, ext2 at turn:ext, loose at slide:ext
end

model class (Assembly, MbsUniversalAxes, MbsClosing) Universal
    "universal joint: b turns about na (ext1), then about nb (ext2), which turns along"
  submodel (Revolute) first(n1=na1, n2=na2, n3=na3, q0=q01, qd0=qd01)
  submodel (Revolute) second(n1=nb1, n2=nb2, n3=nb3, q0=q02, qd0=qd02, closing=closing)
  submodel (LoopJoint) loose if closing
  cut (DriveCut) ext1, ext2
  connect a to first to second to b, ext1 at first:ext, ext2 at second:ext, loose at first:ext
end

model class (Assembly, MbsPlaneCoordinates, MbsClosing) Planar
    "planar joint: b slides along nx (ext1), along n cross nx (ext2), and turns about n (ext3)"
  parameter n1 (unit="1") = 0 "direction perpendicular to the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  submodel (Prismatic) x(n1=nx1, n2=nx2, n3=nx3, q0=q01, qd0=qd01)
  submodel (Prismatic) y(n1=n2*nx3 - n3*nx2, n2=n3*nx1 - n1*nx3, n3=n1*nx2 - n2*nx1, q0=q02,
                         qd0=qd02)
  submodel (Revolute) turn(n1=n1, n2=n2, n3=n3, q0=q03, qd0=qd03, closing=closing)
  submodel (LoopJoint) loose(2) if closing
  cut (DriveCut) ext1, ext2, ext3
  connect a to x to y to turn to b, ext1 at x:ext, ext2 at y:ext, ext3 at turn:ext,
          loose(1) at x:ext, loose(2) at y:ext
end

model class (Assembly, MbsCardanStart, MbsClosing) SphericalCardan
    "spherical joint by three angles, about axis 1 (ext1), then 2 (ext2), then 3 (ext3); singular at q2 = 90 degrees"
  submodel (Revolute) x(n1=1, q0=q01, qd0=qd01), y(n2=1, q0=q02, qd0=qd02),
                      z(n3=1, q0=q03, qd0=qd03, closing=closing)
  submodel (LoopJoint) loose(2) if closing
  cut (DriveCut) ext1, ext2, ext3
  connect a to x to y to z to b, ext1 at x:ext, ext2 at y:ext, ext3 at z:ext,
          loose(1) at x:ext, loose(2) at y:ext
end

model class (Assembly, MbsFreeCardanStart, MbsClosing) FreeCardan
    "no joint: three displacements (ext1 to ext3) and three angles (ext4 to ext6) as in SphericalCardan"
  submodel (Prismatic) x(n1=1, q0=q01, qd0=qd01), y(n2=1, q0=q02, qd0=qd02),
                       z(n3=1, q0=q03, qd0=qd03)
  submodel (SphericalCardan) turn(q01=q04, q02=q05, q03=q06, qd01=qd04, qd02=qd05, qd03=qd06,
                                  closing=closing)
  submodel (LoopJoint) loose(3) if closing
  cut (DriveCut) ext1, ext2, ext3, ext4, ext5, ext6
  connect a to x to y to z to turn to b, ext1 at x:ext, ext2 at y:ext, ext3 at z:ext,
          ext4 at turn:ext1, ext5 at turn:ext2, ext6 at turn:ext3,
          loose(1) at x:ext, loose(2) at y:ext, loose(3) at z:ext
end
