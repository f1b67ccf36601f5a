{ Force elements of multibody systems: a part of mbsabs.mo. The motion of their cuts is given; they do not pass motion on. }

@mbsabs

model class (MbsTwoCut) Force
    "element without mass between two cuts; a subclass gives the forces and torques at a and b"
end

model class (Force) LineForce "force f along the line between the origins; f > 0 pulls them together"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction, and the force fades out"
  terminal s (unit="m") "distance of the origins"
  terminal sd (unit="m/s") "its derivative"
  terminal f (unit="N") "force"
  local apart(3)(unit="m") "from the origin of a to the origin of b"
  local square (unit="m2", state=avoid) "of the distance"
  apart = rb - ra
  square = apart'*apart
  s = sqrt(square)
  sd = der(square)/(2*max(s, small))
  { (17), (18) }
  fb = f/max(s, small)*apart
  fa = -fb
  taua = 0
  taub = 0
end

model class (Force, MbsSpringMass) SpringWithMass
    "linear spring between two origins, with a mass that is spread evenly along the line"
  local x(3)(unit="m", state=avoid), y(3)(unit="m", state=avoid) "positions of the ends"
  local vx(3)(unit="m/s", state=avoid), vy(3)(unit="m/s", state=avoid) "their velocities"
  local A(3)(unit="m/s2"), B(3)(unit="m/s2") "accelerations of the ends, less gravity"
  x = ra
  y = rb
  vx = der(x)
  vy = der(y)
  A = der(vx) - ga
  B = der(vy) - gb
  { The kinetic energy is m/6*(va'*va + va'*vb + vb'*vb). }
  fa = m/6*(2*A + B) - F
  fb = m/6*(A + 2*B) + F
  taua = 0
  taub = 0
end

model class (Force, MbsAxialTorque) AxialTorque
    "torque tau about axis 3 of frame a, which both frames have; tau > 0 turns b back"
  xd = cross(Ta'*(Tb*wb) - wa, x)
  { (21), (22) }
  fa = 0
  fb = 0
  taua = -(Ta*[0, 0, tau])
  taub = Ta*[0, 0, tau]
end

model class (Force) Wrench
    "force f and torque tau on the element at b; a subclass gives both from the motion of b relative to a"
  terminal T(3,3)(unit="1") "direction cosines from frame a to frame b"
  terminal r(3)(unit="m", state=avoid) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", state=avoid),
           w(3)(unit="rad/s", state=avoid) "relative velocity, angular velocity, resolved in frame a"
  terminal f(3)(unit="N"), tau(3)(unit="N.m") "at the origin of b, resolved in frame a"
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  w = T'*wb - wa
  v = der(r)
  fa = Ta*f
  fb = -fa
  taua = Ta*(tau + cross(r, f))
  taub = -(Ta*tau)
end

model class (MbsOneCut) WorldForce "force f on the frame that it is connected to, resolved in the inertial frame"
  terminal f(3)(unit="N")
  { (19) }
  fa = -f
  taua = 0
end

model class (MbsOneCut) WorldTorque "torque tau on the frame that it is connected to, resolved in the inertial frame"
  terminal tau(3)(unit="N.m")
  { (23) }
  fa = 0
  taua = -tau
end

model class (MbsOneCut) FrameForce "force f on the frame that it is connected to, resolved in that frame"
  terminal f(3)(unit="N")
  { (20) }
  fa = -(Ta*f)
  taua = 0
end

model class (MbsOneCut) FrameTorque "torque tau on the frame that it is connected to, resolved in that frame"
  terminal tau(3)(unit="N.m")
  { (24) }
  fa = 0
  taua = -(Ta*tau)
end

model class (MbsOneCut) PointGravity
    "gravity of a mass in the origin of the inertial system, on a mass in the origin of the cut-frame"
  parameter mu (unit="m3/s2") "gravitational constant times the mass that attracts"
  parameter m (unit="kg") "mass that is attracted, which a PointMass or Body has"
  fa = mu*m/norm(ra)^3*ra
  taua = 0
end
