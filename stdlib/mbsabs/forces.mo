{ Force elements of multibody systems: a part of mbsabs.mo. The motion of their cuts is given; they do not pass motion on. }

@mbsabs

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives the forces and torques at a and b"
end

model class (Force) LineForce "force f along the line between the origins; f > 0 pulls them together"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction, and the force fades out"
  terminal s (unit="m") "distance of the origins"
  terminal sd (unit="m/s") "its derivative"
  terminal f (unit="N") "force"
  local apart(3)(unit="m", state=avoid) "from the origin of a to the origin of b"
  apart = rb - ra
  s = norm(apart)
  sd = apart'*der(apart)/max(s, small)
  { (17), (18) }
  fb = f/max(s, small)*apart
  fa = -fb
  taua = 0
  taub = 0
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

model class (MbsOneCut) PointGravity "gravity of a mass in the origin of the inertial system, on a mass in the origin of the cut-frame"
  parameter mu (unit="m3/s2") "gravitational constant times the mass that attracts"
  parameter m (unit="kg") "mass that is attracted, which a PointMass or Body has"
  fa = mu*m/norm(ra)^3*ra
  taua = 0
end
