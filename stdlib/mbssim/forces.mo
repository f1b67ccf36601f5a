{ Force elements of multibody systems: a part of mbssim.mo. I = 0 in (14). The motion of their cuts is given; they do not pass
  motion on. }

@mbssim

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives ba and bb"
  Ia = 0
  Ib = 0
end

model class (Force) LineForce "force f along the line between the origins; f > 0 pulls them together"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction, and the force fades out"
  terminal s (unit="m") "distance of the origins"
  terminal sd (unit="m/s") "its derivative"
  terminal f (unit="N") "force"
  local F(3)(unit="N") "force on the element at cut b, resolved in the inertial frame"
  s = norm(rb - ra)
  sd = (rb - ra)'*(Tb*vb(4..6) - Ta*va(4..6))/max(s, small)
  { (4b), (4e), (4h) for a force along the line }
  F = f/max(s, small)*(rb - ra)
  ba = [zeros(3); -Ta'*F]
  bb = [zeros(3); Tb'*F]
end

model class (LineForce) Spring "linear spring between two origins"
  parameter c (unit="N/m") "stiffness"
  parameter s0 (unit="m") = 0 "unstretched length"
  f = c*(s - s0)
end

model class (LineForce) Damper "linear damper between two origins"
  parameter d (unit="N.s/m") "damping"
  f = d*sd
end

model class (LineForce) SpringDamper "linear spring and damper between two origins"
  parameter c (unit="N/m") "stiffness"
  parameter d (unit="N.s/m") = 0 "damping"
  parameter s0 (unit="m") = 0 "unstretched length"
  f = c*(s - s0) + d*sd
end

model class (LineForce) SpringDamperSeries "linear spring and damper, one after the other, between two origins"
  parameter c (unit="N/m", min=1e-300) "stiffness"
  parameter d (unit="N.s/m", min=1e-300) "damping"
  parameter s0 (unit="m") = 0 "distance without force, at the start"
  parameter drawn0 (unit="m") = 0 "drawn at the start"
  terminal drawn (unit="m", start=drawn0) "part of the distance by which the damper is drawn out"
  f = c*(s - s0 - drawn)
  der(drawn) = f/d
end

model class (MbsTwoCut) SpringWithMass
    "linear spring between two origins, with a mass that is spread evenly along the line"
  parameter c (unit="N/m") "stiffness"
  parameter s0 (unit="m") = 0 "unstretched length"
  parameter m (unit="kg", min=0) "mass"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction"
  terminal s (unit="m") "distance of the origins"
  local F(3)(unit="N"), A(3)(unit="m/s2"), B(3)(unit="m/s2") "force of the spring; accelerations of the ends"
  s = norm(rb - ra)
  F = c*(s - s0)/max(s, small)*(rb - ra)
  A = Ta*aa(4..6)
  B = Tb*ab(4..6)
  { The kinetic energy is m/6*(va'*va + va'*vb + vb'*vb). }
  Ia = [zeros(3,3), zeros(3,3); zeros(3,3), m/3*identity(3)]
  Ib = Ia
  ba = [zeros(3); Ta'*(m/6*B - F)]
  bb = [zeros(3); Tb'*(m/6*A + F)]
end

model class (Force) AxialTorque "torque tau about axis 3 of frame a, which both frames have; tau > 0 turns b back"
  terminal theta (unit="rad") "angle from axis 1 of a to that of b, about axis 3 of a; it counts turns"
  terminal thetad (unit="rad/s") "its derivative"
  terminal tau (unit="N.m") "torque"
  local x(3)(unit="1") "axis 1 of b, resolved in frame a"
  local xd(3)(unit="1/s") "its derivative"
  local part (unit="rad"),
        turned (unit="rad") "angle of less than a turn; integral of thetad, by which turns are counted"
  x = Ta'*(Tb*[1, 0, 0])
  xd = cross(Ta'*(Tb*vb(1..3)) - va(1..3), x)
  thetad = (x(1)*xd(2) - x(2)*xd(1))/max(x(1)^2 + x(2)^2, 1e-12)
  part = atan2(x(2), x(1))
  der(turned) = thetad
  theta = part + 6.283185307179586*noevent(floor((turned - part)/6.283185307179586 + 0.5))
  ba = [0; 0; -tau; zeros(3)]
  bb = [Tb'*(Ta*[0, 0, tau]); zeros(3)]
  initial
    turned = part
  endinitial
end

model class (AxialTorque) TorsionalSpring "linear torsional spring about axis 3 of frame a"
  parameter c (unit="N.m/rad") "stiffness"
  parameter theta0 (unit="rad") = 0 "angle without torque"
  tau = c*(theta - theta0)
end

model class (AxialTorque) TorsionalDamper "linear torsional damper about axis 3 of frame a"
  parameter d (unit="N.m.s/rad") "damping"
  tau = d*thetad
end

model class (Force) Wrench
    "force f and torque tau on the element at b; a subclass gives both from the motion of b relative to a"
  terminal T(3,3)(unit="1") "direction cosines from frame a to frame b"
  terminal r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s"), w(3)(unit="rad/s") "relative velocity, angular velocity, resolved in frame a"
  terminal f(3)(unit="N"), tau(3)(unit="N.m") "at the origin of b, resolved in frame a"
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  w = T'*vb(1..3) - va(1..3)
  v = T'*vb(4..6) - va(4..6) - cross(va(1..3), r)
  ba = [tau + cross(r, f); f]
  bb = -[T*tau; T*f]
end

model class (MbsOneCut) WorldForce "force f on the frame that it is connected to, resolved in the inertial frame"
  terminal f(3)(unit="N")
  Ia = 0
  ba = [zeros(3); -Ta'*f]
end

model class (MbsOneCut) WorldTorque "torque tau on the frame that it is connected to, resolved in the inertial frame"
  terminal tau(3)(unit="N.m")
  Ia = 0
  ba = [-Ta'*tau; zeros(3)]
end

model class (MbsOneCut) FrameForce "force f on the frame that it is connected to, resolved in that frame"
  terminal f(3)(unit="N")
  Ia = 0
  ba = [zeros(3); -f]
end

model class (MbsOneCut) FrameTorque "torque tau on the frame that it is connected to, resolved in that frame"
  terminal tau(3)(unit="N.m")
  Ia = 0
  ba = [-tau; zeros(3)]
end

model class (MbsOneCut) PointGravity
    "gravity of a mass in the origin of the inertial system, on a mass in the origin of the cut-frame"
  parameter mu (unit="m3/s2") "gravitational constant times the mass that attracts"
  parameter m (unit="kg") "mass that is attracted, which a PointMass or Body has"
  Ia = 0
  ba = [zeros(3); mu*m/norm(ra)^3*Ta'*ra]
end

{ --- contacts --- }

model class (Wrench, MbsHuntCrossley, MbsRegularized) PlaneContact
    "compliant contact of a sphere or a point, at b, with a plane, at a; its friction never sticks"
end

model class (Wrench, MbsHuntCrossley, MbsStickSlip) PlaneStickSlip
    "compliant contact of a sphere or a point, at b, with a plane, at a; it sticks, elastically, or slides"
end

model class (Wrench, MbsNewton, MbsRegularized) PlaneImpact
    "impact of a sphere or a point, at b, with a plane, at a, by Newton's law; with friction that never sticks"
end
