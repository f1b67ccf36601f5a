{ Force elements: a part of mbs.mo, mbssim.mo and mbsmat.mo, of which the numbers in parentheses are equations. The motion of their
  cuts is given; they do not pass motion on. }

@mbs

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

model class (MbsSpringMass) MbsSpringEnds "spring with a mass, and the accelerations of its ends"
  local A(3)(unit="m/s2"), B(3)(unit="m/s2") "accelerations of the ends"
  A = Ta*aa(4..6)
  B = Tb*ab(4..6)
end

model class (Force, MbsAxialTorque) AxialTorque
    "torque tau about axis 3 of frame a, which both frames have; tau > 0 turns b back"
  xd = cross(Ta'*(Tb*vb(1..3)) - va(1..3), x)
  fa = [0; 0; -tau; zeros(3)]
  fb = [Tb'*(Ta*[0, 0, tau]); zeros(3)]
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
  fa = [tau + cross(r, f); f]
  fb = -[T*tau; T*f]
end

model class (MbsLoad) WorldForce "force f on the frame that it is connected to, resolved in the inertial frame"
  terminal f(3)(unit="N")
  fa = [zeros(3); -Ta'*f]
end

model class (MbsLoad) WorldTorque "torque tau on the frame that it is connected to, resolved in the inertial frame"
  terminal tau(3)(unit="N.m")
  fa = [-Ta'*tau; zeros(3)]
end

model class (MbsLoad) FrameForce "force f on the frame that it is connected to, resolved in that frame"
  terminal f(3)(unit="N")
  fa = [zeros(3); -f]
end

model class (MbsLoad) FrameTorque "torque tau on the frame that it is connected to, resolved in that frame"
  terminal tau(3)(unit="N.m")
  fa = [-tau; zeros(3)]
end

model class (MbsLoad) PointGravity
    "gravity of a mass in the origin of the inertial system, on a mass in the origin of the cut-frame"
  parameter mu (unit="m3/s2") "gravitational constant times the mass that attracts"
  parameter m (unit="kg") "mass that is attracted, which a PointMass or Body has"
  fa = [zeros(3); mu*m/norm(ra)^3*Ta'*ra]
end

{ --- sensors --- }

model class (MbsMarker) AbsoluteSensor "motion of a frame, resolved in the inertial frame"
  terminal T(3,3)(unit="1") "direction cosines from the frame to the inertial frame"
  terminal r(3)(unit="m") "position of the origin"
  terminal v(3)(unit="m/s"), w(3)(unit="rad/s") "its velocity; angular velocity"
  terminal acc(3)(unit="m/s2"),
           alpha(3)(unit="rad/s2")
           "acceleration of the origin as an accelerometer shows it, including gravity; angular acceleration"
  T = Ta
  r = ra
  v = Ta*va(4..6)
  w = Ta*va(1..3)
  acc = Ta*aa(4..6)
  alpha = Ta*aa(1..3)
end

model class (Force) RelativeSensor "motion of frame b relative to frame a, resolved in frame a"
  terminal T(3,3)(unit="1") "direction cosines from frame a to frame b"
  terminal r(3)(unit="m") "from the origin of a to the origin of b"
  terminal s (unit="m") "distance of the origins"
  terminal v(3)(unit="m/s"), w(3)(unit="rad/s") "relative velocity, angular velocity"
  terminal acc(3)(unit="m/s2"),
           alpha(3)(unit="rad/s2") "relative acceleration, angular acceleration"
  fa = 0
  fb = 0
  { (4a) to (4g) }
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  s = norm(r)
  w = T'*vb(1..3) - va(1..3)
  v = T'*vb(4..6) - va(4..6) - cross(va(1..3), r)
  alpha = T'*ab(1..3) - aa(1..3) - cross(va(1..3), w)
  acc = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), r) - cross(va(1..3), cross(va(1..3), r) + 2*v)
end
