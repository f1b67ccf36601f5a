{ Force elements of multibody systems: a part of mbsmat.mo. The motion of their cuts is given; they do not pass motion on. }

@mbsmat

model class (MbsTwoCut) Force "element without mass between two cuts; a subclass gives fa and fb"
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
  fa = [zeros(3); -Ta'*F]
  fb = [zeros(3); Tb'*F]
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
  fa = [zeros(3); -Ta'*f]
end

model class (MbsOneCut) WorldTorque "torque tau on the frame that it is connected to, resolved in the inertial frame"
  terminal tau(3)(unit="N.m")
  fa = [-Ta'*tau; zeros(3)]
end

model class (MbsOneCut) PointGravity "gravity of a mass in the origin of the inertial system, on a mass in the origin of the cut-frame"
  parameter mu (unit="m3/s2") "gravitational constant times the mass that attracts"
  parameter m (unit="kg") "mass that is attracted, which a PointMass or Body has"
  fa = [zeros(3); mu*m/norm(ra)^3*Ta'*ra]
end
