{ Coulomb friction between two surfaces, for rotational.mo, translational.mo and the multibody libraries.

  The variable structure follows M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the
  Object-Oriented Modeling Language Dymola, sections 5 and 6: one set of equations for all modes, where locked decides whether the
  acceleration or the friction force is given. The next mode is decided at events only, along a path parameter sa: M. Otter,
  H. Elmqvist, S. E. Mattsson: Hybrid Modeling in Modelica based on the Synchronous Data Flow Principle, CACSD 1999. }

type FrictionMode = (Backward, Stuck, Forward, Free, Unknown)

model class FrictionModes
    "sliding direction of surfaces, or sticking; a subclass gives v_fric, a_fric, f0, fmax, free and sa"
  parameter v_small (min=0) = 1e-7
            "a velocity beyond this one against the mode is a jump, and makes it slide in that direction"
  constant one = 1 "turns the acceleration into the unit of the force"
  local v_fric "velocity of the surfaces against each other"
  local a_fric "its derivative"
  local f0 "friction force at velocity zero, sliding"
  local fmax "greatest friction force without sliding"
  local (Boolean) free "no normal force: no friction"
  local sa "path parameter: the force that holds the surfaces, or their acceleration beyond the friction"
  local held "sa while the surfaces stick, otherwise zero: irrelevant values make no events"
  local drawn, drawn_up, drawn_down
        "acceleration of surfaces that stick if their motion is prescribed: then no equation gives sa, which is zero"
  local kept "sa where sliding starts and may end again, otherwise zero"
  local v_up, v_down "velocity where it can have jumped, else zero"
  local (Boolean) up, down "it has jumped: the surfaces slide, whatever their force"
  local v_slide "velocity while they slide or start to slide, otherwise zero"
  local (Boolean) locked "the surfaces stick: the acceleration is zero"
  local (Boolean) forward, backward "the surfaces slide or start to slide"
  local (Boolean) start_forward, start_backward "sliding starts, at velocity zero"
  local (Boolean) started_forward (start=false),
        started_backward (start=false) "the same, before the event"
  terminal (FrictionMode) mode (start=FrictionMode.Unknown)
  { The margin keeps a force of exactly this size, up to rounding, from starting and ending the sliding alternately. }
  held = if mode <> FrictionMode.Stuck or up or down then 0
         elseif start_forward or start_backward then sa*(1 + 1e-9)
         else noevent(if abs(sa) >= 0 then sa else 0)/(1 + 1e-9)
  drawn = noevent(if abs(one*a_fric) < 1e-12*fmax then 0 else one*a_fric)
  drawn_up = if mode == FrictionMode.Stuck and not (up or down or started_backward) then
             noevent(if locked and abs(sa) > 1e-9*fmax then -fmax else drawn) else -fmax
  drawn_down = if mode == FrictionMode.Stuck and not (up or down or started_forward) then
               noevent(if locked and abs(sa) > 1e-9*fmax then fmax else drawn) else fmax
  kept = if started_forward or started_backward then sa*(1 + 1e-9) else 0
  v_slide = if free or mode == FrictionMode.Stuck and not start_forward and not start_backward then
            0 else v_fric
  v_up = if mode == FrictionMode.Backward or mode == FrictionMode.Stuck then v_fric else 0
  v_down = if mode == FrictionMode.Forward or mode == FrictionMode.Stuck then v_fric else 0
  up = v_up > v_small
  down = v_down < -v_small
  start_forward = mode == FrictionMode.Stuck and
                  (held > fmax or started_forward and kept > f0 or drawn_up > 0) or
                  up or mode == FrictionMode.Unknown and v_slide > 0
  start_backward = mode == FrictionMode.Stuck and
                   (held < -fmax or started_backward and kept < -f0 or drawn_down < 0) or
                   down or mode == FrictionMode.Unknown and v_slide < 0
  new(started_forward) = start_forward
  new(started_backward) = start_backward
  forward = start_forward or mode == FrictionMode.Forward and not start_backward
  backward = start_backward or mode == FrictionMode.Backward and not start_forward
  locked = not (free or forward or backward)
  new(mode) = if free then FrictionMode.Free
              elseif (mode == FrictionMode.Free or forward) and v_slide > 0 then
              FrictionMode.Forward
              elseif (mode == FrictionMode.Free or backward) and v_slide < 0 then
              FrictionMode.Backward else FrictionMode.Stuck
end

model class (FrictionModes) CoulombFriction
    "common part of friction elements; a subclass gives v_fric, a_fric, f0, fmax, free and the force"
  one*a_fric = if locked then 0 elseif free then sa elseif forward then sa - fmax else sa + fmax
end

model class VelocityCatch
    "takes away a velocity that an element forbids after a start or a jump: within a short time, by the force that this needs; a subclass gives excess, violates, pulls, and the acceleration and force while it is catching"
  constant duration (unit="s") = 1e-7 "of the impulse, in which nothing else moves far"
  local excess "velocity that is not allowed where it is positive"
  local (Boolean) violates "it is too large"
  local (Boolean) pulls "the force has the sign that the element cannot give: it lets go"
  local (Boolean) begins
  local since (unit="s", start=-1e9), until (unit="s", start=-1e9)
  local amount (start=0) "the velocity at the begin"
  local rate "of its change"
  terminal (Boolean) catching (start=false)
  begins = violates and not catching and time >= until
  new(until) = if begins then time + duration else until
  new(since) = if begins then time else since
  new(amount) = if begins then excess else amount
  rate = if catching then amount/(until - since) else 0
  new(catching) = begins or catching and time < until and not pulls
end
