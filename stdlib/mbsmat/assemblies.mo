{ Assemblies of simpler elements: a part of mbsmat.mo. }

@mbsmat

model class Assembly "component with two cuts that belong to elements inside"
  cut (Frame) a, b
  main cut c [a, b]
  main path p <a - b>
end

{ --- joints of several degrees of freedom --- }

model class (Assembly) Cylindrical "cylindrical joint: b slides along the axis (ext1) and turns about it (ext2)"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  parameter q01 (unit="m") = 0, qd01 (unit="m/s") = 0 "displacement and velocity at the start"
  parameter q02 (unit="rad") = 0, qd02 (unit="rad/s") = 0 "angle and angular velocity at the start"
  submodel (Prismatic) slide(n1=n1, n2=n2, n3=n3, q0=q01, qd0=qd01)
  submodel (Revolute) turn(n1=n1, n2=n2, n3=n3, q0=q02, qd0=qd02)
  cut (DriveCut) ext1, ext2
  connect a to slide to turn to b, ext1 at slide:ext, ext2 at turn:ext
end

model class (Assembly) Universal "universal joint: b turns about na (ext1), then about nb (ext2), which turns along"
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
  submodel (Revolute) first(n1=na1, n2=na2, n3=na3, q0=q01, qd0=qd01)
  submodel (Revolute) second(n1=nb1, n2=nb2, n3=nb3, q0=q02, qd0=qd02)
  cut (DriveCut) ext1, ext2
  connect a to first to second to b, ext1 at first:ext, ext2 at second:ext
end

model class (Assembly) Planar
    "planar joint: b slides along nx (ext1), along n cross nx (ext2), and turns about n (ext3)"
  parameter n1 (unit="1") = 0 "direction perpendicular to the plane, 1"
  parameter n2 (unit="1") = 0 "normal, 2"
  parameter n3 (unit="1") = 0 "normal, 3"
  parameter nx1 (unit="1") = 0 "first direction in the plane, 1"
  parameter nx2 (unit="1") = 0 "first direction, 2"
  parameter nx3 (unit="1") = 0 "first direction, 3"
  parameter q01 (unit="m") = 0, qd01 (unit="m/s") = 0 "along nx, at the start"
  parameter q02 (unit="m") = 0, qd02 (unit="m/s") = 0 "along n cross nx, at the start"
  parameter q03 (unit="rad") = 0, qd03 (unit="rad/s") = 0 "about n, at the start"
  assert norm([nx1, nx2, nx3]) > 0, "nx is not given: one of nx1, nx2, nx3 must not be zero"
  assert abs(n1*nx1 + n2*nx2 + n3*nx3) <= 1e-9*norm([n1, n2, n3])*norm([nx1, nx2, nx3]),
      "nx must lie in the plane: n1*nx1 + n2*nx2 + n3*nx3 must be zero"
  submodel (Prismatic) x(n1=nx1, n2=nx2, n3=nx3, q0=q01, qd0=qd01)
  submodel (Prismatic) y(n1=n2*nx3 - n3*nx2, n2=n3*nx1 - n1*nx3, n3=n1*nx2 - n2*nx1, q0=q02,
                         qd0=qd02)
  submodel (Revolute) turn(n1=n1, n2=n2, n3=n3, q0=q03, qd0=qd03)
  cut (DriveCut) ext1, ext2, ext3
  connect a to x to y to turn to b, ext1 at x:ext, ext2 at y:ext, ext3 at turn:ext
end

model class (Assembly) SphericalCardan
    "spherical joint by three angles, about axis 1 (ext1), then 2 (ext2), then 3 (ext3); singular at q2 = 90 degrees"
  parameter q01 (unit="rad") = 0, q02 (unit="rad") = 0, q03 (unit="rad") = 0 "angles at the start"
  parameter qd01 (unit="rad/s") = 0, qd02 (unit="rad/s") = 0,
            qd03 (unit="rad/s") = 0 "their derivatives at the start"
  submodel (Revolute) x(n1=1, q0=q01, qd0=qd01), y(n2=1, q0=q02, qd0=qd02),
                      z(n3=1, q0=q03, qd0=qd03)
  cut (DriveCut) ext1, ext2, ext3
  connect a to x to y to z to b, ext1 at x:ext, ext2 at y:ext, ext3 at z:ext
end

model class (Assembly) FreeCardan
    "no joint: three displacements (ext1 to ext3) and three angles (ext4 to ext6) as in SphericalCardan"
  parameter q01 (unit="m") = 0, q02 (unit="m") = 0, q03 (unit="m") = 0 "displacements at the start"
  parameter qd01 (unit="m/s") = 0, qd02 (unit="m/s") = 0,
            qd03 (unit="m/s") = 0 "their derivatives at the start"
  parameter q04 (unit="rad") = 0, q05 (unit="rad") = 0, q06 (unit="rad") = 0 "angles at the start"
  parameter qd04 (unit="rad/s") = 0, qd05 (unit="rad/s") = 0,
            qd06 (unit="rad/s") = 0 "their derivatives at the start"
  submodel (Prismatic) x(n1=1, q0=q01, qd0=qd01), y(n2=1, q0=q02, qd0=qd02),
                       z(n3=1, q0=q03, qd0=qd03)
  submodel (SphericalCardan) turn(q01=q04, q02=q05, q03=q06, qd01=qd04, qd02=qd05, qd03=qd06)
  cut (DriveCut) ext1, ext2, ext3, ext4, ext5, ext6
  connect a to x to y to z to turn to b, ext1 at x:ext, ext2 at y:ext, ext3 at z:ext,
          ext4 at turn:ext1, ext5 at turn:ext2, ext6 at turn:ext3
end

{ --- bars with mass --- }

model class (Assembly) Shape
    "bar of length l with a mass in its middle; a subclass gives its mass m and the inertia J about it"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  parameter density (unit="kg/m3", min=0) = 7700
  parameter l (unit="m") = sqrt(r1^2 + r2^2 + r3^2) "length"
  assert l > 0, "the bar has no length: one of r1, r2, r3 must not be zero"
  parameter e(3)(unit="1") = [r1, r2, r3]/l "direction"
end

model class (Shape) BodyBox "box, its axis from a to b"
  parameter w1 (unit="1") = 0 "direction of the width, 1"
  parameter w2 (unit="1") = 0 "direction of the width, 2"
  parameter w3 (unit="1") = 0 "direction of the width, 3"
  parameter width (unit="m", min=0), height (unit="m", min=0)
  assert norm(cross(e, [w1, w2, w3])) > 0,
      "the width has no direction across the axis: give w1, w2 or w3"
  parameter h(3)(unit="1") = cross(e, [w1, w2, w3])/norm(cross(e, [w1, w2, w3])) "direction of the height"
  parameter m (unit="kg") = density*l*width*height
  parameter J(3,3)(unit="kg.m2") = m/12*((width^2 + height^2)*e*e' +
                                         (l^2 + height^2)*cross(h, e)*cross(h, e)' +
                                         (l^2 + width^2)*h*h')
  submodel (Bar) bar(r1=r1, r2=r2, r3=r3)
  submodel (Body) body(m=m, r1=r1/2, r2=r2/2, r3=r3/2, I11=J(1,1), I22=J(2,2), I33=J(3,3),
                       I21=J(2,1), I31=J(3,1), I32=J(3,2))
  connect a to bar to b, body at a
end

model class (Shape) BodyCylinder "cylinder or pipe, its axis from a to b"
  parameter diameter (unit="m", min=0), inner (unit="m", min=0) = 0 "outer and inner diameter"
  assert inner <= diameter, "the inner diameter must be at most the outer one"
  parameter m (unit="kg") = density*l*3.141592653589793/4*(diameter^2 - inner^2)
  parameter J(3,3)(unit="kg.m2") = m*((diameter^2 + inner^2)/8*e*e' +
                                      ((diameter^2 + inner^2)/16 + l^2/12)*(identity(3) - e*e'))
  submodel (Bar) bar(r1=r1, r2=r2, r3=r3)
  submodel (Body) body(m=m, r1=r1/2, r2=r2/2, r3=r3/2, I11=J(1,1), I22=J(2,2), I33=J(3,3),
                       I21=J(2,1), I31=J(3,1), I32=J(3,2))
  connect a to bar to b, body at a
end

model class (Shape) BodyRod "thin rod from a to b, without inertia about its axis"
  parameter area (unit="m2", min=0) "cross-section"
  parameter m (unit="kg") = density*l*area
  parameter J(3,3)(unit="kg.m2") = m*l^2/12*(identity(3) - e*e')
  submodel (Bar) bar(r1=r1, r2=r2, r3=r3)
  submodel (Body) body(m=m, r1=r1/2, r2=r2/2, r3=r3/2, I11=J(1,1), I22=J(2,2), I33=J(3,3),
                       I21=J(2,1), I31=J(3,1), I32=J(3,2))
  connect a to bar to b, body at a
end

{ --- rotors --- }

model class Rotor3D
    "rotor that turns about an axis of the frame, with its gyroscopic torques; its mass and its inertia across the axis belong to the body that carries it"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  parameter J (unit="kg.m2", min=0) "moment of inertia about the axis"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  parameter axis(3)(unit="1") = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  main cut (Frame) a
  cut (DriveCut) ext
  submodel (Revolute) joint(n1=n1, n2=n2, n3=n3, q0=q0, qd0=qd0)
  submodel (Body) rotor(I11=J*axis(1)^2, I22=J*axis(2)^2, I33=J*axis(3)^2, I21=J*axis(2)*axis(1),
                        I31=J*axis(3)*axis(1), I32=J*axis(3)*axis(2), any_inertia=true)
  connect joint:a at a, rotor at joint:b, ext at joint:ext
end

model class WheelSet
    "two thin wheels on one axle, each of which rolls on the plane z = 0 without sliding; the origin of frame a is between them"
  parameter radius (unit="m", min=1e-300)
  parameter track (unit="m", min=1e-300) "distance of the wheels"
  parameter n1 (unit="1") = 0 "axle, 1; wheel 1 is in this direction"
  parameter n2 (unit="1") = if n1 == 0 and n3 == 0 then 1 else 0 "axle, 2; without any direction it is axis 2"
  parameter n3 (unit="1") = 0 "axle, 3"
  parameter q01 (unit="rad") = 0, qd01 (unit="rad/s") = 0 "angle and angular velocity of wheel 1 at the start"
  parameter q02 (unit="rad") = 0, qd02 (unit="rad/s") = 0 "angle and angular velocity of wheel 2 at the start"
  parameter half (unit="m") = track/2/max(norm([n1, n2, n3]), 1e-300)
  main cut (Frame) a "axle"
  cut (Frame) wheel1, wheel2 "the wheels, which need an inertia about the axle"
  cut (DriveCut) ext1, ext2 "angles of the wheels against the axle"
  submodel (Bar) bar1(r1=half*n1, r2=half*n2, r3=half*n3),
                 bar2(r1=-half*n1, r2=-half*n2, r3=-half*n3)
  submodel (Revolute) joint1(n1=n1, n2=n2, n3=n3, q0=q01, qd0=qd01),
                      joint2(n1=n1, n2=n2, n3=n3, q0=q02, qd0=qd02)
  submodel (RollingWheel) rolling1(radius=radius, n1=n1, n2=n2, n3=n3)
  submodel (MbsFollower) rolling2(radius=radius, n1=n1, n2=n2, n3=n3)
  connect a at bar1:a, a at bar2:a, bar1 to joint1, bar2 to joint2, rolling1 at joint1:b,
          rolling2 at joint2:b,
          wheel1 at joint1:b, wheel2 at joint2:b, ext1 at joint1:ext, ext2 at joint2:ext
end
