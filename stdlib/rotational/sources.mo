{ Sources that drive shafts, and sensors for them: a part of rotational.mo. Torques that depend on the speed change sign with it, SignTorque linearly. }

@rotational

model class Source "drives flange A against a housing S"
  parameter (Boolean) supported = false "true: S is connected; false: the housing stands still"
  cut (Flange) S (phis / taus)
  main cut (Flange) A (phia / -tau)
  terminal phi (unit="rad") "angle of A against the housing"
  phi = phia - phis
  if supported then
    taus = tau
  else
    phis = 0
  endif
end

{ --- sources: they drive A against the housing S; signals enter at cut inp --- }

model class (Source) Torque "the torque tau, from outside, drives A"
  cut inp (tau(unit="N.m"))
  main path P <inp - A>
end

model class (Compliant) Torque2 "the torque tau, from outside, drives A forward and B backward"
  cut inp (tau(unit="N.m"))
end

model class (Source) ConstTorque "constant torque"
  parameter tau0 (unit="N.m") "torque"
  tau = tau0
end

model class (Source) TorqueStep "torque that jumps from tau0 to tau1 at time t0"
  parameter tau0 (unit="N.m") = 0, tau1 (unit="N.m") "torque before and from t0 on"
  parameter t0 (unit="s") = 0 "time of the jump"
  tau = if time < t0 then tau0 else tau1
end

model class (Source) LinearTorque "tau = tau_n*w/w_n; a load where tau_n is negative"
  parameter tau_n (unit="N.m") "torque at the speed w_n"
  parameter w_n (unit="rad/s", min=1e-300) "nominal speed"
  terminal w (unit="rad/s")
  w = der(phi)
  tau = tau_n*(w/w_n)
end

model class (Source) QuadraticTorque "tau = tau_n*(w/w_n)^2 with the sign of w; a load where tau_n is negative"
  parameter tau_n (unit="N.m") "torque at the speed w_n"
  parameter w_n (unit="rad/s", min=1e-300) "nominal speed"
  terminal w (unit="rad/s")
  w = der(phi)
  tau = tau_n*(w/w_n)*noevent(abs(w/w_n))
end

model class (Source) SignTorque "tau = tau_n*sign(w), linear below the speed w0; a load where tau_n is negative"
  parameter tau_n (unit="N.m") "torque"
  parameter w0 (unit="rad/s", min=1e-300) = 0.1 "below this speed the torque is linear"
  terminal w (unit="rad/s")
  w = der(phi)
  tau = if w > w0 then tau_n elseif w < -w0 then -tau_n else tau_n*w/w0
end

model class (Source) Moved "moves A; a subclass gives the motion"
  parameter phi0 (unit="rad") = 0 "angle at the start"
  local q (unit="rad", start=phi0, state=prefer)
  q = phi
end

model class (Moved) ConstSpeed "constant speed"
  parameter w0 (unit="rad/s") "speed"
  der(q) = w0
end

model class (Source) Position "the angle is phi, from outside, exactly"
  cut inp (phi(unit="rad"))
  main path P <inp - A>
end

model class (Moved) Speed "the speed is w, from outside, exactly"
  cut inp (w(unit="rad/s"))
  main path P <inp - A>
  der(q) = w
end

model class (Moved) Accelerate "the acceleration is a, from outside"
  parameter w0 (unit="rad/s") = 0 "speed at the start"
  cut inp (a(unit="rad/s2"))
  main path P <inp - A>
  terminal w (unit="rad/s", start=w0, state=prefer)
  w = der(q)
  der(w) = a
end

model class (Moved) SoftPosition "the angle follows phi_ref, through a Bessel filter of second order"
  parameter f_crit (unit="Hz", min=1e-300) = 50 "critical frequency"
  parameter w0 (unit="rad/s") = 0 "speed at the start"
  constant pi (unit="1") = 3.14159265358979323846
  { Coefficients of the normalized Bessel filter: U. Tietze, C. Schenk: Halbleiter-Schaltungstechnik. }
  constant af (unit="1") = 1.3617, bf (unit="1") = 0.6180
  cut inp (phi_ref(unit="rad"))
  main path P <inp - A>
  local v (unit="rad/s", start=w0, state=prefer)
  v = der(q)
  bf*der(v) = 2*pi*f_crit*((phi_ref - q)*(2*pi*f_crit) - af*v)
end

model class (Moved) SoftSpeed "the speed follows w_ref, through a filter of first order"
  parameter f_crit (unit="Hz", min=1e-300) = 50 "critical frequency"
  parameter w0 (unit="rad/s") = 0 "speed at the start"
  constant pi (unit="1") = 3.14159265358979323846
  cut inp (w_ref(unit="rad/s"))
  main path P <inp - A>
  local v (unit="rad/s", start=w0, state=prefer)
  v = der(q)
  der(v) = 2*pi*f_crit*(w_ref - v)
end

{ --- sensors: they take no torque; signals leave at cut out --- }

model class AngleSensor "the angle phi"
  main cut (Flange) A (phi / .)
  cut out (phi(unit="rad"))
  main path P <A - out>
end

model class SpeedSensor "the speed w"
  main cut (Flange) A (phi / .)
  cut out (w(unit="rad/s"))
  main path P <A - out>
  w = der(phi)
end

model class AccSensor "the acceleration a"
  main cut (Flange) A (phi / .)
  cut out (a(unit="rad/s2"))
  main path P <A - out>
  a = der(phi, 2)
end

model class RelSensor "angle, speed and acceleration of B minus those of A"
  cut (Flange) A (phia / .), B (phib / .)
  main cut W [A, B]
  cut angle (phi_rel(unit="rad")), speed (w_rel(unit="rad/s")), acc (a_rel(unit="rad/s2"))
  phi_rel = phib - phia
  w_rel = der(phi_rel)
  a_rel = der(w_rel)
end

model class (tra.Chain) TorqueSensor "the torque tau that flows from A to B"
  cut (Flange) A (phi / tau), B (phi / -tau)
  cut out (tau(unit="N.m"))
end

model class (tra.Chain) PowerMeter "the power that flows from A to B"
  cut (Flange) A (phi / tau), B (phi / -tau)
  cut out (power(unit="W"))
  power = tau*der(phi)
end
