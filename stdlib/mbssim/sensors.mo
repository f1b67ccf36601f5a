{ Sensors of multibody systems: a part of mbssim.mo. }

@mbssim

model class (MbsOneCut) AbsoluteSensor "motion of a frame, resolved in the inertial frame"
  terminal T(3,3)(unit="1") "direction cosines from the frame to the inertial frame"
  terminal r(3)(unit="m") "position of the origin"
  terminal v(3)(unit="m/s"), w(3)(unit="rad/s") "its velocity; angular velocity"
  terminal acc(3)(unit="m/s2"),
           alpha(3)(unit="rad/s2")
           "acceleration of the origin as an accelerometer shows it, including gravity; angular acceleration"
  Ia = 0
  ba = 0
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
  ba = 0
  bb = 0
  { (4a) to (4g) }
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  s = norm(r)
  w = T'*vb(1..3) - va(1..3)
  v = T'*vb(4..6) - va(4..6) - cross(va(1..3), r)
  alpha = T'*ab(1..3) - aa(1..3) - cross(va(1..3), w)
  acc = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), r) - cross(va(1..3), cross(va(1..3), r) + 2*v)
end

model class CutForce "load of a connection: force and torque on the sensor at cut a"
  cut (Frame) a (T, r, v, acc / I, b), b (T, r, v, acc / -I, -b)
  main cut c [a, b]
  main path p <a - b>
  terminal f(3)(unit="N"), tau(3)(unit="N.m") "force and torque, resolved in the frame"
  terminal P (unit="W") "power that flows in at a and out at b"
  { (14) }
  [tau; f] = I*acc + b
  P = [tau; f]'*v
end
