{ Sensors of multibody systems: a part of mbsabs.mo. }

@mbsabs

model class (MbsOneCut) AbsoluteSensor "motion of a frame, resolved in the inertial frame"
  terminal T(3,3)(unit="1") "direction cosines from the frame to the inertial frame"
  terminal r(3)(unit="m", state=avoid) "position of the origin"
  terminal v(3)(unit="m/s", state=avoid), w(3)(unit="rad/s") "its velocity; angular velocity"
  terminal acc(3)(unit="m/s2"),
           alpha(3)(unit="rad/s2")
           "acceleration of the origin as an accelerometer shows it, including gravity; angular acceleration"
  fa = 0
  taua = 0
  T = Ta
  r = ra
  v = der(r)
  w = Ta*wa
  acc = der(v) - ga
  alpha = Ta*der(wa)
end

model class (Force) RelativeSensor "motion of frame b relative to frame a, resolved in frame a"
  terminal T(3,3)(unit="1") "direction cosines from frame a to frame b"
  terminal r(3)(unit="m", state=avoid) "from the origin of a to the origin of b"
  terminal s (unit="m") "distance of the origins"
  terminal v(3)(unit="m/s", state=avoid),
           w(3)(unit="rad/s", state=avoid) "relative velocity, angular velocity"
  terminal acc(3)(unit="m/s2"),
           alpha(3)(unit="rad/s2") "relative acceleration, angular acceleration"
  fa = 0
  taua = 0
  fb = 0
  taub = 0
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  s = norm(r)
  v = der(r)
  w = T'*wb - wa
  acc = der(v)
  alpha = der(w)
end

model class (MbsLoadSensor) CutForce "load of a connection: force and torque on the sensor at cut a"
  cut (Frame) a (T, p, r, w, g / F, M), b (T, p, r, w, g / -F, -M)
  local x(3)(unit="m", state=avoid) "position of the origin"
  x = r
  f = T'*F
  tau = T'*M
  P = F'*der(x) + tau'*w
end
