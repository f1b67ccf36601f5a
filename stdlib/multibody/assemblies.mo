{ Assemblies of simpler elements: a part of each multibody library. }

@mbs

model class (MbsChain) Assembly "component with two cuts that belong to elements inside"
  cut (Frame) a, b
end

{ --- bodies --- }

model class (MbsRigidBody, MbsInertia) Body "rigid body"
end

model class (MbsRigidBody) MbsVaryingBody "rigid body whose mass varies, and its inertia with it"
  parameter r1 (unit="m"), r2 (unit="m"), r3 (unit="m")
  parameter K(3,3)(unit="m2") "inertia about the center over the mass"
  parameter m0 (unit="kg")
  terminal m (unit="kg", start=m0), flow (unit="kg/s")
  local I11 (unit="kg.m2"), I22 (unit="kg.m2"), I33 (unit="kg.m2"), I21 (unit="kg.m2"),
        I31 (unit="kg.m2"), I32 (unit="kg.m2")
  der(m) = -flow
  [I11; I22; I33; I21; I31; I32] = m*[K(1,1); K(2,2); K(3,3); K(2,1); K(3,1); K(3,2)]
end

model class VaryingBody
    "rigid body that mass leaves, such as a rocket; that on board moves towards the exit and does not whirl"
  parameter m0 (unit="kg", min=1e-300) "mass at the start"
  parameter r1 (unit="m") = 0 "from the origin of the cut-frame to the center of mass, 1"
  parameter r2 (unit="m") = 0 "center of mass, 2"
  parameter r3 (unit="m") = 0 "center of mass, 3"
  parameter K(3,3)(unit="m2") = zeros(3,3) "inertia about the center over the mass: squares of radii of gyration"
  parameter exit(3)(unit="m") = zeros(3) "where the mass leaves"
  parameter c(3)(unit="m/s") "velocity against the body with which it leaves"
  terminal flow (unit="kg/s") "mass that leaves; negative if it arrives"
  terminal m (unit="kg") "mass"
  parameter d(3)(unit="m") = [r1, r2, r3], G(3,3)(unit="m2") = K - skew(d)*skew(d)
  local w(3)(unit="rad/s") "angular velocity, resolved in the frame"
  main cut (Frame) a
  submodel (MbsVaryingBody) body(r1=r1, r2=r2, r3=r3, K=K, m0=m0)
  submodel (AbsoluteSensor) sensor
  submodel (FrameForce) thrust
  submodel (FrameTorque) torque
  assert m > 0, "no mass is left"
  m = body.m
  body.flow = flow
  w = sensor.T'*sensor.w
  { Momentum and moment of momentum of what is on board, and of what leaves }
  thrust.f = -flow*(c + 2*cross(w, exit - d))
  torque.tau = flow*(G*w - cross(exit, c + cross(w, exit)))
  connect body at a, sensor at a, thrust at a, torque at a
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
  submodel (Bar) bar(r1=r1, r2=r2, r3=r3)
  submodel (Body) body(m=m, r1=r1/2, r2=r2/2, r3=r3/2, I11=J(1,1), I22=J(2,2), I33=J(3,3),
                       I21=J(2,1), I31=J(3,1), I32=J(3,2))
  connect a to bar to b, body at a
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
end

model class (Shape) BodyCylinder "cylinder or pipe, its axis from a to b"
  parameter diameter (unit="m", min=0), inner (unit="m", min=0) = 0 "outer and inner diameter"
  assert inner <= diameter, "the inner diameter must be at most the outer one"
  parameter m (unit="kg") = density*l*3.141592653589793/4*(diameter^2 - inner^2)
  parameter J(3,3)(unit="kg.m2") = m*((diameter^2 + inner^2)/8*e*e' +
                                      ((diameter^2 + inner^2)/16 + l^2/12)*(identity(3) - e*e'))
end

model class (Shape) BodyRod "thin rod from a to b, without inertia about its axis"
  parameter area (unit="m2", min=0) "cross-section"
  parameter m (unit="kg") = density*l*area
  parameter J(3,3)(unit="kg.m2") = m*l^2/12*(identity(3) - e*e')
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

{ --- wheels --- }

model class MbsThinWheel "radius and axis of a wheel"
  parameter radius (unit="m", min=1e-300)
  parameter n1 (unit="1") = 0 "axis of the wheel, 1"
  parameter n2 (unit="1") = if n1 == 0 and n3 == 0 then 1 else 0
            "axis of the wheel, 2; without any direction it is axis 2"
  parameter n3 (unit="1") = 0 "axis of the wheel, 3"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
end

model class (MbsThinWheel) MbsRolling "wheel that rolls on the plane z = 0; a subclass gives slip and the force"
  terminal f(3)(unit="N") "force of the ground on the wheel, resolved in the inertial frame"
  local e(3)(unit="1") "axis, resolved in the inertial frame"
  local h (unit="1") "its share in the plane"
  local d(3)(unit="m") "from the center to the lowest point of the wheel, resolved in the inertial frame"
  local slip(3)(unit="m/s") "velocity of that point of the wheel"
  e = Ta*([n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300))
  h = sqrt(e(1)^2 + e(2)^2)
  d = radius*[e(1)*e(3)/h, e(2)*e(3)/h, -h]
  ra(3) = -d(3)
  slip(2)*e(1) - slip(1)*e(2) = 0  { in the direction of rolling }
end

model class (MbsWheel) RollingWheel
    "thin wheel that rolls on the plane z = 0 of the inertial system without sliding; the origin of the frame is its center"
  { Along the axle; redundant for wheels on one axle. }
  slip(1)*e(1) + slip(2)*e(2) = 0
end

model class (MbsWheel) MbsFollower "wheel next to another one on the same axle, which keeps both from sliding along it"
  f(1)*e(1) + f(2)*e(2) = 0
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
