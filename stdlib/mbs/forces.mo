{ Force elements: they take the motion of their cuts as given and hand none on. }

@mbs

model class (MbsTwoCut) Force "element without mass between two cuts"
end

model class (Force) LineForce "force f along the line between the origins; f > 0 pulls them together"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction, and the force fades out"
  terminal s (unit="m") "distance of the origins"
  terminal f (unit="N") "force"
  local F(3)(unit="N") "force on the element at cut b, resolved in the inertial frame"
  s = norm(rb - ra)
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

model class JointDamper "viscous damper at the cut ext of a joint"
  main cut a (q, qd, qdd / f)
  parameter d "force or torque per velocity"
  f = d*qd
end
