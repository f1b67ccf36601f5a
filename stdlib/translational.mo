{ Motion along a line. The force of a cut is positive into the component.

  Components are points: s is the position of both cuts of a mass; springs and rods have lengths. A component that is held by a
  housing has a cut S for it: connect it with supported=true, otherwise the housing does not move.
  The equations are those of the Modelica Standard Library 4.0, Mechanics.Translational, written independently. }

@friction

cut class Flange (s(unit="m") / f(unit="N")) "position, and force into the component"

{ --- common parts of components --- }

model class Chain "from A to B, flanges that a subclass declares"
  main cut W [A, B]
  main path P <A - B>
end

model class (Chain) Rigid "both flanges move as one"
  cut (Flange) A (s / fa), B (s / fb)
end

model class (Chain) Compliant "two flanges that move against each other; f pulls them together"
  cut (Flange) A (sa / -f), B (sb / f)
  terminal s_rel (unit="m") "position of B minus that of A"
  s_rel = sb - sa
end

model class (Chain) Moving
    "two flanges that move relative to each other, whose relative position and velocity are states"
  cut (Flange) A (sa / -f), B (sb / f)
  terminal s_rel (unit="m", state=prefer) "position of B minus that of A"
  terminal v_rel (unit="m/s", state=prefer), a_rel (unit="m/s2")
  s_rel = sb - sa
  v_rel = der(s_rel)
  a_rel = der(v_rel)
end

model class (Chain) Housed "two flanges and a housing S, which takes the force that is left"
  parameter (Boolean) supported = false "true: S is connected; false: the housing stands still"
  cut (Flange) A (s / fa), B (s / fb), S (ss / fs)
  if supported then
    fa + fb + fs = 0
  else
    ss = 0
  endif
end

model class Source "drives flange A against a housing S"
  parameter (Boolean) supported = false "true: S is connected; false: the housing stands still"
  cut (Flange) S (ss / fs)
  main cut (Flange) A (sa / -f)
  terminal s (unit="m") "position of A against the housing"
  s = sa - ss
  if supported then
    fs = f
  else
    ss = 0
  endif
end

{ --- masses and compliances --- }

model class (Chain) Mass "sliding mass: m*a is the sum of the forces"
  parameter m (unit="kg", min=1e-300) "mass"
  parameter s0 (unit="m") = 0, v0 (unit="m/s") = 0 "position and velocity at the start"
  cut (Flange) A (s(start=s0) / fa), B (s / fb)
  terminal v (unit="m/s", start=v0), a (unit="m/s2") "velocity and acceleration"
  v = der(s)
  a = der(v)
  m*a = fa + fb
end

model class (Rigid) FreeMass "the same; its start is determined by the model around it"
  parameter m (unit="kg", min=1e-300) "mass"
  terminal v (unit="m/s"), a (unit="m/s2") "velocity and acceleration"
  v = der(s)
  a = der(v)
  m*a = fa + fb
end

model class (Chain) Rod "rigid rod without mass: B is `length` ahead of A"
  parameter length (unit="m")
  cut (Flange) A (sa / f), B (sb / -f)
  sb = sa + length
end

model class (Compliant) Spring "f = c*(s_rel - s_rel0)"
  parameter c (unit="N/m", min=0) "stiffness"
  parameter s_rel0 (unit="m") = 0 "length without force"
  f = c*(s_rel - s_rel0)
end

model class (Moving) Damper "f = d*v_rel"
  parameter d (unit="N.s/m", min=0) "damping"
  terminal loss (unit="W") "power that becomes heat"
  f = d*v_rel
  loss = f*v_rel
end

model class (Moving) SpringDamper "f = c*(s_rel - s_rel0) + d*v_rel"
  parameter c (unit="N/m", min=0) "stiffness"
  parameter d (unit="N.s/m", min=0) "damping"
  parameter s_rel0 (unit="m") = 0 "length without force"
  terminal loss (unit="W") "power that becomes heat"
  f = c*(s_rel - s_rel0) + d*v_rel
  loss = d*v_rel^2
end

model class (Moving) ElastoGap "contact: spring and damper that push while s_rel < s_rel0, and never pull"
  parameter c (unit="N/m", min=0) "stiffness"
  parameter d (unit="N.s/m", min=0) "damping"
  parameter s_rel0 (unit="m") = 0 "distance at which the contact starts"
  local (Boolean) contact
  local fc (unit="N"), fd (unit="N") "forces of spring and damper"
  contact = s_rel < s_rel0
  fc = if contact then c*(s_rel - s_rel0) else 0
  { The damper never exceeds the spring. }
  fd = if contact then noevent(max(fc, min(-fc, d*v_rel))) else 0
  f = fc + fd
end

model class Fixed "a flange held at the position s0"
  parameter s0 (unit="m") = 0
  main cut (Flange) A (s / f)
  s = s0
end

model class (Moving) RelativeStates "nothing between two flanges; makes their relative position and velocity states"
  f = 0
end

{ --- friction --- }

model class (Housed, CoulombFriction) AgainstHousing "friction against the housing; a subclass gives its force f"
  terminal v (unit="m/s"), a (unit="m/s2") "velocity and acceleration against the housing"
  terminal f (unit="N") "friction force"
  terminal loss (unit="W") "power that becomes heat"
  v = der(s) - der(ss)
  a = der(v)
  fa + fb = f
  v_fric = v
  a_fric = a
  loss = f*v
end

model class (AgainstHousing) SupportFriction "friction force against the housing, from a table"
  parameter n = 2 "points of the table of friction"
  parameter v_tab(n)(unit="m/s") = [0, 1] "velocities, ascending from zero"
  parameter f_tab(n)(unit="N", min=0) = [1, 1]
            "friction forces at these velocities; beyond the last one, a rising line continues, a falling one does not"
  parameter v_end (unit="m/s") = if f_tab(n) < f_tab(n - 1) then v_tab(n) else 1e300 "end of the line"
  assert v_tab(1) == 0, "the table of friction must begin at zero velocity"
  parameter peak (unit="1", min=1) = 1 "greatest force without sliding, over f_tab(1)"
  free = false
  f0 = f_tab(1)
  fmax = peak*f0
  f = if locked then sa elseif forward then interp1(noevent(min(v, v_end)), v_tab, f_tab)
      else -interp1(noevent(min(-v, v_end)), v_tab, f_tab)
end

model class (AgainstHousing) Brake "friction against the housing, pressed by engaged, 0 to 1"
  parameter n = 2 "points of the table of friction"
  parameter v_tab(n)(unit="m/s") = [0, 1] "velocities, ascending from zero"
  parameter mue(n)(unit="1", min=0) = [0.5, 0.5]
            "coefficients of friction at these velocities; beyond the last one, a rising line continues, a falling one does not"
  parameter v_end (unit="m/s") = if mue(n) < mue(n - 1) then v_tab(n) else 1e300 "end of the line"
  assert v_tab(1) == 0, "the table of friction must begin at zero velocity"
  parameter peak (unit="1", min=1) = 1 "greatest coefficient without sliding, over mue(1)"
  parameter cgeo (unit="1", min=0) = 1 "number of friction surfaces"
  parameter fn_max (unit="N", min=0) "greatest normal force"
  cut inp (engaged(unit="1"))
  terminal fn (unit="N") "normal force"
  fn = fn_max*engaged
  free = fn <= 0
  f0 = mue(1)*cgeo*fn
  fmax = peak*f0
  f = if locked then sa elseif free then 0
      elseif forward then cgeo*fn*interp1(noevent(min(v, v_end)), v_tab, mue)
      else -cgeo*fn*interp1(noevent(min(-v, v_end)), v_tab, mue)
end

model class (VelocityCatch, Chain) MassWithStop
    "sliding mass with Stribeck friction, between two stops that take its velocity"
  parameter m (unit="kg", min=1e-300) "mass"
  parameter s_min (unit="m"), s_max (unit="m") "positions of the stops, for the middle of the mass"
  parameter F_prop (unit="N.s/m", min=0) = 0 "viscous friction"
  parameter F_Coulomb (unit="N", min=0) = 0 "constant part of the sliding friction"
  parameter F_Stribeck (unit="N", min=0) = 0 "Stribeck effect at velocity zero"
  parameter fexp (unit="s/m", min=0) = 0 "how fast the Stribeck effect fades with the velocity"
  parameter s0 (unit="m") = 0, v0 (unit="m/s") = 0 "position and velocity at the start"
  parameter v_small (unit="m/s", min=0) = 1e-7
            "a velocity beyond this one against the mode is a jump, and makes it slide in that direction"
  cut (Flange) A (s(start=s0) / fa), B (s / fb)
  terminal v (unit="m/s", start=v0, state=prefer), a (unit="m/s2")
  terminal f (unit="N") "force of friction and stops"
  local f0 (unit="N"), slide (unit="N"), sa (unit="N"), held (unit="N"), kept (unit="N")
  constant one (unit="kg") = 1, one_millionth (unit="m") = 1e-6
  local v_slide (unit="m/s") "velocity while it slides or starts to slide"
  local v_up (unit="m/s"), v_down (unit="m/s") "velocity where it can have jumped"
  local (Boolean) up, down "it has jumped"
  local (Boolean) low, high "at a stop"
  local (Boolean) met (start=false), beyond (start=false) "at a stop, and beyond it, before the event"
  local (Boolean) locked, start_forward, start_backward, forward
  local (Boolean) started_forward (start=false),
        started_backward (start=false) "begun to slide, before the event"
  terminal (FrictionMode) mode (start=FrictionMode.Unknown)
  v = der(s)
  a = der(v)
  m*a = fa + fb - f
  f0 = F_Coulomb + F_Stribeck
  low = s <= s_min
  high = s >= s_max
  new(met) = low or high
  new(beyond) = beyond or not met and
                noevent(max(s - s_max, s_min - s) > 1e-6*(s_max - s_min) + one_millionth)
  assert not beyond, "the mass starts beyond its stop: the position must be between s_min and s_max"
  excess = if catching then 0 elseif high then v elseif low then -v else 0
  violates = excess > v_small
  pulls = false
  held = if mode == FrictionMode.Stuck and not catching and not up and not down then sa else 0
  kept = if started_forward or started_backward then sa else 0
  v_up = if not catching and (mode == FrictionMode.Stuck or mode == FrictionMode.Backward) then v
         else 0
  v_down = if not catching and (mode == FrictionMode.Stuck or mode == FrictionMode.Forward) then v
           else 0
  up = v_up > v_small
  down = v_down < -v_small
  start_forward = not high and
                  (mode == FrictionMode.Stuck and
                   (held > 1.001*f0 or started_forward and kept > f0) or up or
                   mode == FrictionMode.Unknown and v_slide > 0)
  start_backward = not low and
                   (mode == FrictionMode.Stuck and
                    (held < -1.001*f0 or started_backward and kept < -f0) or down or
                    mode == FrictionMode.Unknown and v_slide < 0)
  v_slide = if mode == FrictionMode.Stuck and not start_forward and not start_backward then 0 else v
  new(started_forward) = start_forward
  new(started_backward) = start_backward
  forward = start_forward or mode == FrictionMode.Forward and not start_backward
  locked = not (forward or start_backward or mode == FrictionMode.Backward)
  slide = F_Coulomb + F_Stribeck*exp(-fexp*noevent(abs(v)))
  f = if catching or locked then sa
      else F_prop*v +
      (if start_forward then f0 elseif start_backward then -f0
       elseif mode == FrictionMode.Forward then slide else -slide)
  one*a = if catching then (if high then -one*rate else one*rate)
          elseif locked then 0 elseif forward then sa - 1.001*f0 else sa + 1.001*f0
  new(mode) = if forward and v_slide > 0 and not high then FrictionMode.Forward
              elseif (start_backward or mode == FrictionMode.Backward) and v_slide < 0 and
              not low then FrictionMode.Backward else FrictionMode.Stuck
end

{ --- sources: they drive A against the housing S; signals enter at cut inp --- }

model class (Source) Force "the force f, from outside, drives A"
  cut inp (f(unit="N"))
  main path P <inp - A>
end

model class (Compliant) Force2 "the force f, from outside, pulls A and B together"
  cut inp (f(unit="N"))
end

model class (Source) ConstForce "constant force"
  parameter F (unit="N") "force"
  f = F
end

model class (Source) ForceStep "force that jumps from F0 to F1 at time t0"
  parameter F0 (unit="N") = 0, F1 (unit="N") "force before and from t0 on"
  parameter t0 (unit="s") = 0 "time of the jump"
  f = if time < t0 then F0 else F1
end

model class (Source) LinearForce "f = F_n*v/v_n; a load where F_n is negative"
  parameter F_n (unit="N") "force at the velocity v_n"
  parameter v_n (unit="m/s", min=1e-300) "nominal velocity"
  terminal v (unit="m/s")
  v = der(s)
  f = F_n*(v/v_n)
end

model class (Source) QuadraticForce "f = F_n*(v/v_n)^2 with the sign of v; a load where F_n is negative"
  parameter F_n (unit="N") "force at the velocity v_n"
  parameter v_n (unit="m/s", min=1e-300) "nominal velocity"
  terminal v (unit="m/s")
  v = der(s)
  f = F_n*(v/v_n)*noevent(abs(v/v_n))
end

model class (Source) SignForce "f = F_n*sign(v), linear below the velocity v0; a load where F_n is negative"
  parameter F_n (unit="N") "force"
  parameter v0 (unit="m/s", min=1e-300) = 0.1 "below this velocity the force is linear"
  terminal v (unit="m/s")
  v = der(s)
  f = if v > v0 then F_n elseif v < -v0 then -F_n else F_n*v/v0
end

model class (Source) ConstSpeed "constant velocity"
  parameter v0 (unit="m/s") "velocity"
  parameter s0 (unit="m") = 0 "position at the start"
  local q (unit="m", start=s0, state=prefer)
  q = s
  der(q) = v0
end

model class (Source) Position "the position is s, from outside, exactly"
  cut inp (s(unit="m"))
  main path P <inp - A>
end

model class (Source) Speed "the velocity is v, from outside, exactly"
  parameter s0 (unit="m") = 0 "position at the start"
  cut inp (v(unit="m/s"))
  main path P <inp - A>
  local q (unit="m", start=s0, state=prefer)
  q = s
  der(q) = v
end

model class (Source) Accelerate "the acceleration is a, from outside"
  parameter s0 (unit="m") = 0, v0 (unit="m/s") = 0 "position and velocity at the start"
  cut inp (a(unit="m/s2"))
  main path P <inp - A>
  local q (unit="m", start=s0, state=prefer)
  terminal v (unit="m/s", start=v0, state=prefer)
  q = s
  v = der(q)
  der(v) = a
end

{ --- sensors: they take no force; signals leave at cut out --- }

model class PositionSensor "the position s"
  main cut (Flange) A (s / .)
  cut out (s(unit="m"))
  main path P <A - out>
end

model class SpeedSensor "the velocity v"
  main cut (Flange) A (s / .)
  cut out (v(unit="m/s"))
  main path P <A - out>
  v = der(s)
end

model class AccSensor "the acceleration a"
  main cut (Flange) A (s / .)
  cut out (a(unit="m/s2"))
  main path P <A - out>
  a = der(s, 2)
end

model class RelSensor "position, velocity and acceleration of B minus those of A"
  cut (Flange) A (sa / .), B (sb / .)
  main cut W [A, B]
  cut position (s_rel(unit="m")), speed (v_rel(unit="m/s")), acc (a_rel(unit="m/s2"))
  s_rel = sb - sa
  v_rel = der(s_rel)
  a_rel = der(v_rel)
end

model class (Chain) ForceSensor "the force f that flows from A to B"
  cut (Flange) A (s / f), B (s / -f)
  cut out (f(unit="N"))
end

model class (Chain) PowerMeter "the power that flows from A to B"
  cut (Flange) A (s / f), B (s / -f)
  cut out (power(unit="W"))
  power = f*der(s)
end
