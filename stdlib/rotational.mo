{ Shafts: rotation about one axis. The torque of a cut is positive into the component.

  Positive angles have the same sense for all shafts, so that a chain of components is one shaft. A component that is held by a
  housing has a cut S for it: connect it with supported=true, otherwise the housing does not move.
  The equations are those of the Modelica Standard Library 4.0, Mechanics.Rotational, written independently. }

@friction
@"rotational/sources"
@translational as tra

cut class Flange (phi(unit="rad") / tau(unit="N.m")) "angle, and torque into the component"

{ --- common parts of components --- }

model class (tra.Chain) Shaft "rigid shaft from A to B"
  cut (Flange) A (phi / taua), B (phi / taub)
end

model class (tra.Chain) Compliant "two flanges that turn against each other; tau flows from B to A"
  cut (Flange) A (phia / -tau), B (phib / tau)
  terminal phi_rel (unit="rad") "angle of B minus that of A"
  phi_rel = phib - phia
end

model class (tra.Chain) Turning
    "two flanges that turn relative to each other, whose relative angle and velocity are states"
  cut (Flange) A (phia / -tau), B (phib / tau)
  terminal phi_rel (unit="rad", state=prefer) "angle of B minus that of A"
  terminal w_rel (unit="rad/s", state=prefer), a_rel (unit="rad/s2")
  phi_rel = phib - phia
  w_rel = der(phi_rel)
  a_rel = der(w_rel)
end

model class (tra.Chain) Housed "two flanges and a housing S, which takes the torque that is left"
  parameter (Boolean) supported = false "true: S is connected; false: the housing stands still"
  cut (Flange) A (phia / taua), B (phib / taub), S (phis / taus)
  if supported then
    taua + taub + taus = 0
  else
    phis = 0
  endif
end

{ --- inertias and compliances --- }

model class (tra.Chain) Inertia "rigid shaft with inertia: J*a is the sum of the torques"
  parameter J (unit="kg.m2", min=1e-300) "moment of inertia"
  parameter phi0 (unit="rad") = 0, w0 (unit="rad/s") = 0 "angle and angular velocity at the start"
  cut (Flange) A (phi(start=phi0) / taua), B (phi / taub)
  terminal w (unit="rad/s", start=w0), a (unit="rad/s2") "angular velocity and acceleration"
  w = der(phi)
  a = der(w)
  J*a = taua + taub
end

model class (Shaft) FreeInertia "the same; its start is determined by the model around it"
  parameter J (unit="kg.m2", min=1e-300) "moment of inertia"
  terminal w (unit="rad/s"), a (unit="rad/s2") "angular velocity and acceleration"
  w = der(phi)
  a = der(w)
  J*a = taua + taub
end

model class (tra.Chain) Disc "rigid shaft without inertia, whose right end is turned by delta"
  parameter delta (unit="rad") = 0
  cut (Flange) A (phia / tau), B (phib / -tau)
  phib = phia + delta
end

model class (Compliant) Spring "tau = c*(phi_rel - phi_rel0)"
  parameter c (unit="N.m/rad", min=0) "stiffness"
  parameter phi_rel0 (unit="rad") = 0 "relative angle without torque"
  tau = c*(phi_rel - phi_rel0)
end

model class (Turning) Damper "tau = d*w_rel"
  parameter d (unit="N.m.s/rad", min=0) "damping"
  terminal loss (unit="W") "power that becomes heat"
  tau = d*w_rel
  loss = tau*w_rel
end

model class (Turning) SpringDamper "tau = c*(phi_rel - phi_rel0) + d*w_rel"
  parameter c (unit="N.m/rad", min=0) "stiffness"
  parameter d (unit="N.m.s/rad", min=0) "damping"
  parameter phi_rel0 (unit="rad") = 0 "relative angle without torque"
  terminal loss (unit="W") "power that becomes heat"
  tau = c*(phi_rel - phi_rel0) + d*w_rel
  loss = d*w_rel^2
end

model class (Turning) ElastoBacklash
    "backlash b in series with a spring and damper, which never pulls; a spring and damper where b is zero"
  parameter c (unit="N.m/rad", min=0) "stiffness"
  parameter d (unit="N.m.s/rad", min=0) = 0 "damping"
  parameter b (unit="rad", min=0) = 0 "total backlash"
  parameter phi_rel0 (unit="rad") = 0 "relative angle in the middle of the backlash"
  local gone (unit="rad") "how far the spring is twisted"
  local tau_c (unit="N.m"), tau_d (unit="N.m") "torques of spring and damper"
  local (Boolean) ahead, behind "which side touches"
  parameter (Boolean) tight = b <= 1e-10 "without backlash it is a spring and damper"
  ahead = not tight and phi_rel - phi_rel0 > b/2
  behind = not tight and phi_rel - phi_rel0 < -b/2
  gone = if tight then phi_rel - phi_rel0 elseif ahead then phi_rel - phi_rel0 - b/2
         elseif behind then phi_rel - phi_rel0 + b/2 else 0
  tau_c = c*gone
  tau_d = d*w_rel
  { The damper never exceeds the spring: the torque has the sign of the twist and is continuous. }
  tau = if tight then tau_c + tau_d
        elseif ahead then noevent(if tau_c + tau_d <= 0 then 0 else tau_c + min(tau_c, tau_d))
        elseif behind then noevent(if tau_c + tau_d >= 0 then 0 else tau_c + max(tau_c, tau_d))
        else 0
end

model class Fixed "a flange held at the angle phi0"
  parameter phi0 (unit="rad") = 0
  main cut (Flange) A (phi / tau)
  phi = phi0
end

model class (Turning) RelativeStates "nothing between two flanges; makes their relative angle and velocity states"
  tau = 0
end

{ --- gears --- }

model class (Housed) IdealGear "gear without loss: A turns ratio times as fast as B"
  parameter ratio (unit="1") "angle of A for one of B"
  phia - phis = ratio*(phib - phis)
  ratio*taua + taub = 0
end

model class (Housed) LossyGear "gear with efficiency and bearing friction"
  { C. Pelchen, C. Schweiger, M. Otter: Modeling and Simulating the Efficiency of Gearboxes and of Planetary Gearboxes,
    2nd Modelica Conference 2002: taub + ratio*(taua - lost) = 0, where lost is (1 - eta1)*taua + bf1 while A drives, and
    (1 - 1/eta2)*taua + bf2 while B drives; for backward rotation, bearing friction has the other sign. Both frictions are torques
    at A, with bf_a and bf_b of the two shafts: bf1 = eta1*bf_a + bf_b/ratio, bf2 = bf_a/eta2 + bf_b/ratio. A drives if
    taua > bf_a in forward rotation: there both losses are equal. The gear sticks while a loss in between holds it. }
  parameter ratio (unit="1") "angle of A for one of B"
  parameter n = 2 "points of the tables of losses"
  parameter w_tab(n)(unit="rad/s") = [0, 1] "speeds |w| of A, ascending from zero"
  parameter eta1(n)(unit="1", min=0, max=1) = [1, 1] "efficiency of the mesh where A drives; the last one holds beyond"
  parameter eta2(n)(unit="1", max=1) = [1, 1] "efficiency of the mesh where B drives; the last one holds beyond"
  parameter bf1(n)(unit="N.m") = [0, 0] "friction of the bearings where A drives, as a torque at A"
  parameter bf2(n)(unit="N.m") = [0, 0] "friction of the bearings where B drives, as a torque at A"
  parameter w_end1 (unit="rad/s") = if abs(bf1(n)) < abs(bf1(n - 1)) then w_tab(n) else 1e300,
            w_end2 (unit="rad/s") = if abs(bf2(n)) < abs(bf2(n - 1)) then w_tab(n) else 1e300
            "up to where the last lines of friction go: a falling one ends at the last point"
  assert w_tab(1) == 0, "the tables of losses must begin at speed zero"
  assert ratio <> 0, "the ratio of a gear with losses must not be zero: A could not turn"
  terminal w (unit="rad/s"),
           a (unit="rad/s2") "angular velocity and acceleration of A against the housing"
  terminal lost (unit="N.m") "torque lost, on the side of A"
  terminal loss (unit="W") "power lost"
  local phi (unit="rad"), v (unit="rad/s") "angle of A against the housing; |w|"
  local e1, e2, b1 (unit="N.m"), b2 (unit="N.m") "losses at this speed"
  local kink (unit="N.m") "torque at A above which A drives, turning forward"
  local (Boolean) drives, drives_back "A drives, turning forward or backward"
  local up (unit="N.m"), down (unit="N.m") "loss turning forward, backward"
  local sa (unit="N.m") "path parameter of the friction"
  parameter w_small (unit="rad/s", min=0) = 1e-7
            "a speed beyond this one against the mode is a jump, and makes it turn in that direction"
  constant one (unit="kg.m2") = 1
  local (Boolean) stuck, locked, jumped, start_forward, start_backward, forward
  local w_slide (unit="rad/s") "velocity while it turns or starts to turn"
  local drawn (unit="N.m") "acceleration while it sticks, if its motion is prescribed: then no equation gives sa"
  local w_up (unit="rad/s"), w_down (unit="rad/s") "velocity where it can have jumped"
  terminal (FrictionMode) mode (start=FrictionMode.Unknown)
  phi = phia - phis
  phi = ratio*(phib - phis)
  w = der(phi)
  a = der(w)
  v = noevent(abs(w))
  e1 = interp1(noevent(min(v, w_tab(n))), w_tab, eta1)
  e2 = interp1(noevent(min(v, w_tab(n))), w_tab, eta2)
  b1 = noevent(abs(interp1(min(v, w_end1), w_tab, bf1)))
  b2 = noevent(abs(interp1(min(v, w_end2), w_tab, bf2)))
  { Without losses in the mesh the two frictions cannot be distinguished: each side has half of it. }
  kink = noevent(if abs(e1 - 1) + abs(e2 - 1) > 1e-12 then (b1 - b2)/(e1 - 1/e2) else b1/2)
  drives = taua >= kink
  drives_back = taua <= -kink
  up = if drives then (1 - e1)*taua + b1 else (1 - 1/e2)*taua + b2
  down = if drives_back then (1 - e1)*taua - b1 else (1 - 1/e2)*taua - b2
  taub + ratio*(taua - lost) = 0
  stuck = mode == FrictionMode.Stuck
  w_up = if stuck or mode == FrictionMode.Backward then w else 0
  w_down = if stuck or mode == FrictionMode.Forward then w else 0
  jumped = w_up > w_small or w_down < -w_small
  drawn = if not stuck or jumped then 0
          else noevent(if abs(one*a) < 1e-12*(b1 + b2 + abs(taua)) then 0 else one*a)
  start_forward = stuck and ((if stuck and not jumped then sa - up else 0) > 0 or drawn > 0) or
                  w_up > w_small or mode == FrictionMode.Unknown and w_slide > 0
  start_backward = stuck and ((if stuck and not jumped then sa - down else 0) < 0 or drawn < 0) or
                   w_down < -w_small or mode == FrictionMode.Unknown and w_slide < 0
  w_slide = if stuck and not start_forward and not start_backward then 0 else w
  forward = start_forward or mode == FrictionMode.Forward and not start_backward
  locked = not (forward or start_backward or mode == FrictionMode.Backward)
  lost = if locked then sa elseif forward then up else down
  one*a = if locked then 0 else sa - lost
  loss = lost*w
  new(mode) = if forward and w_slide > 0 then FrictionMode.Forward
              elseif (start_backward or mode == FrictionMode.Backward) and w_slide < 0 then
              FrictionMode.Backward else FrictionMode.Stuck
end

model class (tra.Chain) Gearbox "lossy gear, with elasticity, damping and backlash on the side of B"
  parameter ratio (unit="1") "angle of A for one of B"
  parameter n = 2 "points of the tables of losses"
  parameter w_tab(n)(unit="rad/s") = [0, 1] "speeds |w| of A, ascending from zero"
  parameter eta1(n)(unit="1") = [1, 1],
            eta2(n)(unit="1") = [1, 1] "efficiency where A, where B drives"
  parameter bf1(n)(unit="N.m") = [0, 0],
            bf2(n)(unit="N.m") = [0, 0] "bearing friction where A, where B drives"
  parameter c (unit="N.m/rad", min=0) "stiffness"
  parameter d (unit="N.m.s/rad", min=0) "damping"
  parameter b (unit="rad", min=0) = 0 "total backlash"
  parameter (Boolean) supported = false "true: S is connected; false: the housing stands still"
  submodel (LossyGear) gear(ratio=ratio, n=n, w_tab=w_tab, eta1=eta1, eta2=eta2, bf1=bf1, bf2=bf2,
                            supported=supported)
  submodel (ElastoBacklash) spring(c=c, d=d, b=b)
  cut A, B, S
  connect A to gear to spring to B, S at gear:S
end

model class IdealPlanetary "planetary gear without loss"
  parameter ratio (unit="1") "teeth of the ring over teeth of the sun"
  cut (Flange) sun (phi_s / tau_s), carrier (phi_c / tau_c), ring (phi_r / tau_r)
  main cut W [sun, carrier, ring]
  main path P <sun - carrier - ring>
  (1 + ratio)*phi_c = phi_s + ratio*phi_r
  tau_r = ratio*tau_s
  tau_c = -(1 + ratio)*tau_s
end

model class (tra.Chain) IdealGearR2T
    "gear from rotation to translation: rack and pinion, belt and pulley, drum of a winch, spindle"
  parameter ratio (unit="rad/m") "angle of A for a displacement of B"
  cut (Flange) A (phi / tau)
  cut (tra.Flange) B (s / f)
  phi = ratio*s
  ratio*tau + f = 0
end

{ --- friction --- }

model class FrictionTable "parameters of friction that is pressed by engaged, 0 to 1"
  parameter n = 2 "points of the table of friction"
  parameter w_tab(n)(unit="rad/s") = [0, 1] "speeds, relative to each other, ascending from zero"
  parameter mue(n)(unit="1", min=0) = [0.5, 0.5]
            "coefficients of friction at these speeds; beyond the last one, a rising line continues, a falling one does not"
  parameter w_end (unit="rad/s") = if mue(n) < mue(n - 1) then w_tab(n) else 1e300 "end of the line"
  assert w_tab(1) == 0, "the table of friction must begin at zero velocity"
  parameter peak (unit="1", min=1) = 1 "greatest coefficient without sliding, over mue(1)"
  parameter cgeo (unit="m", min=0) = 1 "number of friction surfaces times mean radius"
  parameter fn_max (unit="N", min=0) "greatest normal force"
  cut inp (engaged(unit="1"))
  terminal loss (unit="W") "power that becomes heat"
end

model class (FrictionTable, CoulombFriction) PressedFriction
    "friction that is pressed by engaged; a subclass gives v_fric and a_fric"
  terminal fn (unit="N") "normal force"
  fn = fn_max*engaged
  free = fn <= 0
  f0 = mue(1)*cgeo*fn
  fmax = peak*f0
  tau = if locked then sa elseif free then 0
        elseif forward then cgeo*fn*interp1(noevent(min(v_fric, w_end)), w_tab, mue)
        else -cgeo*fn*interp1(noevent(min(-v_fric, w_end)), w_tab, mue)
  loss = tau*v_fric
end

model class (Turning, PressedFriction) Clutch "friction between A and B, pressed by engaged, 0 to 1"
  v_fric = w_rel
  a_fric = a_rel
end

model class (Housed, CoulombFriction) AgainstHousing "friction against the housing; a subclass gives its torque tau"
  terminal w (unit="rad/s"), a (unit="rad/s2") "velocity and acceleration against the housing"
  terminal tau (unit="N.m") "friction torque"
  local phi (unit="rad")
  phia = phib
  phi = phia - phis
  w = der(phi)
  a = der(w)
  taua + taub = tau
  v_fric = w
  a_fric = a
end

model class (AgainstHousing, PressedFriction) Brake "friction against the housing, pressed by engaged, 0 to 1"
end

model class (AgainstHousing) BearingFriction "friction torque against the housing, from a table"
  parameter n = 2 "points of the table of friction"
  parameter w_tab(n)(unit="rad/s") = [0, 1] "speeds, ascending from zero"
  parameter tau_tab(n)(unit="N.m", min=0) = [1, 1]
            "friction torques at these speeds; beyond the last one, a rising line continues, a falling one does not"
  parameter w_end (unit="rad/s") = if tau_tab(n) < tau_tab(n - 1) then w_tab(n) else 1e300 "end of the line"
  assert w_tab(1) == 0, "the table of friction must begin at zero velocity"
  parameter peak (unit="1", min=1) = 1 "greatest torque without turning, over tau_tab(1)"
  terminal loss (unit="W") "power that becomes heat"
  free = false
  f0 = tau_tab(1)
  fmax = peak*f0
  tau = if locked then sa elseif forward then interp1(noevent(min(w, w_end)), w_tab, tau_tab)
        else -interp1(noevent(min(-w, w_end)), w_tab, tau_tab)
  loss = tau*w
end

model class (Turning, FrictionTable, VelocityCatch) OneWayClutch
    "freewheel: B may run ahead of A, with friction, and takes A along"
  constant low (unit="1") = 0.9999 "a start of sliding holds down to this part of the greatest torque"
  constant one (unit="kg.m2") = 1
  local fn (unit="N"), tau_max (unit="N.m"), sa (unit="N.m"), held (unit="N.m"), kept (unit="N.m")
  local ahead (unit="rad/s") "relative velocity while it slides"
  local leaving (unit="rad/s") "relative velocity where it can have jumped"
  local (Boolean) locked, start
  constant w_small (unit="rad/s") = 1e-7 "a velocity of B behind A beyond this one is a jump"
  local (Boolean) started (start=false)
  terminal (Boolean) stuck (start=false)
  fn = fn_max*engaged
  tau_max = peak*mue(1)*cgeo*max(fn, 0)
  excess = if catching then 0 else -w_rel
  violates = excess > w_small
  pulls = (if catching then sa - tau_max else 0) > 0
  held = if stuck and not catching then sa - tau_max else 0
  kept = if started then sa - low*tau_max else 0
  ahead = if locked then 0 else w_rel
  leaving = if stuck and not catching then w_rel else 0
  start = stuck and (held > 0 or started and kept > 0 or leaving > w_small)
  locked = stuck and not start
  one*a_rel = if catching then one*rate elseif locked then 0 else sa - tau_max
  tau = if catching or locked then sa
        else cgeo*max(fn, 0)*interp1(noevent(min(w_rel, w_end)), w_tab, mue)
  new(started) = start
  new(stuck) = locked or ahead <= 0
  loss = tau*w_rel
end
