{ Laws between two frames: a part of each multibody library.

  A class here is a superclass next to Wrench, whose r, v, w, f and tau it uses: motion of frame b relative to frame a, and the force
  and torque on the element at b, resolved in a. The plane is fixed in a. }

@mbs

model class MbsTouch
    "the point of b in the distance arm from its origin, and where it touches what is fixed in a; a subclass gives all"
  terminal depth (unit="m") "penetration; negative while there is no contact"
  local arm(3)(unit="m") "from the origin of b to the point, resolved in frame a"
  local n(3)(unit="1") "normal of what is touched, to the side of b"
end

model class (MbsTouch) MbsContact "force where b touches what is fixed in a; a subclass gives vn, friction and pressing"
  terminal N (unit="N") "force that presses b off"
  terminal slip(3)(unit="m/s") "velocity of the point of b across n, resolved in frame a"
  local friction(3)(unit="N") "force on b, resolved in frame a"
  local vn (unit="m/s"), vc(3)(unit="m/s")
  local near (unit="m") "depth where a contact may begin or end"
  local (Boolean) contact
  vc = v + cross(w, arm)
  slip = vc - n*(n'*vc)
  contact = near > 0
  f = N*n + friction
end

model class MbsSphere "sphere around the origin of b, or point"
  parameter radius (unit="m", min=0) = 0 "of the sphere; zero for a point"
  arm = -radius*n
  vn = n'*v
  tau = -cross(radius*n, friction)
end

model class (MbsNormal, MbsContact, MbsSphere) MbsPlane
    "sphere and a plane through the origin of a, whose normal points to the side of b; a subclass gives friction and pressing"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  depth = radius - n'*r
end

model class MbsCompliance "of a contact after Hunt and Crossley"
  parameter c (unit="N", min=0) "force at a penetration of 1 m without motion"
  parameter d (unit="s/m", min=0) = 0 "dissipation: share by which the force grows with the velocity of penetration"
  parameter exponent (unit="1", min=1) = 1.5 "of the penetration: 1.5 for a sphere, after Hertz"
end

model class (MbsCompliance) MbsHuntCrossley
    "compliant contact of Hunt and Crossley: the force begins at zero, and never pulls"
  constant one (unit="m") = 1
  constant least = 1e-9 "penetration in m below which the stiffness is constant: at zero its slope is infinite"
  local steep "stiffness over that at 1 m"
  near = depth
  steep = noevent(max(depth/one, least))^(exponent - 1)
  N = if contact then c*noevent(max(depth, 0))/one*steep*noevent(max(0, 1 - d*vn)) else 0
end

model class MbsSliding "friction of a contact"
  parameter mu (unit="1", min=0) = 0 "coefficient of friction"
  parameter v_small (unit="m/s", min=1e-300) = 1e-3 "velocity with 71 % of the friction"
end

model class (MbsSliding) MbsRegularized "Coulomb friction that is proportional to the velocity near zero"
  local grip(3)(unit="1") "friction for a pressing force of one"
  grip = -mu/sqrt(slip'*slip + v_small^2)*slip
  friction = N*grip
end

model class (MbsHuntCrossley) MbsStickSlip
    "Coulomb friction with sticking: an elastic tangential connection that breaks"
  parameter mu (unit="1", min=0) "coefficient of sliding friction"
  parameter peak (unit="1", min=1) = 1 "greatest friction without sliding, over that of sliding"
  parameter ct (unit="N/m", min=1e-300) "tangential stiffness while it sticks"
  parameter dt (unit="N.s/m", min=0) = 0 "tangential damping while it sticks"
  parameter v_small (unit="m/s", min=1e-300) = 1e-3
            "velocity beyond which sliding has its own direction, not that in which it started"
  constant slack (unit="m") = 1e-7 "more stretch before the connection breaks; less is within the errors of a run"
  terminal stretch(3)(unit="m")
           "elastic displacement while it sticks; while it slides, the direction in which it began to slide"
  terminal (Boolean) sliding (start=false)
  local (Boolean) slid (start=false) "before the event: stretch is not yet a displacement"
  local (Boolean) full, back
  local hold(3)(unit="N"), load (unit="N") "force of the connection, and its size"
  local limit (unit="N") "greatest friction without sliding"
  local along(3)(unit="m/s"),
        speed (unit="m/s") "direction of sliding, also at velocity zero, and zero while it sticks; its length"
  local growth (unit="N/s") "derivative of N"
  local yield (unit="m/s") "velocity of the stretch at which the force stays at that of sliding"
  local over (unit="N"), onward (unit="m/s"), forward (unit="m/s"),
        beside (unit="m/s") "zero where they do not matter, which makes no events"
  local (Boolean) fast, turns "it slides on in another direction than that in which it began"
  { Not divided by the penetration: bdf solves for all variables at once, and its guesses may lie on either side of zero. }
  growth = if contact and 1 - d*vn > 0 then
           -c*steep/one*(exponent*vn*(1 - d*vn) + noevent(max(depth, 0))*d*der(vn))
           else 0
  { The spring takes up as much of the velocity as its greatest force grows with N. Else it would get energy from nowhere. }
  yield = mu/ct*noevent(max(growth, 0))
  hold = ct*stretch + dt*slip
  load = sqrt(hold'*hold + 1e-30)
  { The margin keeps a force of exactly this size, up to rounding, from starting and ending the sliding alternately. }
  limit = (1 + 1e-6)*peak*mu*N
  { The spring breaks; where N decreases faster than its force, the force has its greatest size, and nothing slides. }
  over = if contact and not sliding and not slid then ct*(norm(stretch) - slack) - limit else 0
  full = over > 0
  onward = if full then slip'*stretch/sqrt(stretch'*stretch + 1e-30) - yield*peak else 0
  along = if sliding or slid then slip + v_small/sqrt(stretch'*stretch + 1e-30)*stretch
          else zeros(3)
  speed = sqrt(along'*along + 1e-30)
  forward = if sliding then slip'*stretch/sqrt(stretch'*stretch + 1e-30) - yield else 0
  { At velocity zero, sliding may begin; it ends when the velocity of the contact behind the spring is against it, unless there is
    velocity across: then that one is the new direction. }
  back = forward < -1e-6*v_small
  beside = if back then norm(slip) - yield else 0
  fast = beside > 2*v_small
  turns = sliding and back and fast
  new(slid) = sliding
  new(sliding) = contact and
                 (if sliding then not back or fast else not slid and full and onward > 0)
  der(stretch) = if contact and not sliding then slip else zeros(3)
  friction = if not contact then zeros(3) elseif sliding then -mu*N/noevent(max(speed, 1e-15))*along
             else -noevent(min(1, limit/max(load, 1e-15)))*hold
  when not contact then
    init(stretch) = zeros(3)
  elsewhen turns then
    init(stretch) = one/norm(slip)*slip
  elsewhen sliding then
    init(stretch) = one/speed*along
  elsewhen not sliding then
    init(stretch) = (1 - 1e-3)*mu*N/(ct*speed)*along
  endwhen
end

model class MbsVelocity "conditions on velocities with their forces"
  parameter (Integer) conditions = 1 "how many there are"
  terminal A(conditions, 6) "conditions on [w; v], resolved in frame a; it may depend on T and r"
  terminal g(conditions) "right sides of the conditions; zero at rest"
  terminal lambda(conditions) "their forces; the power is lambda'*g"
  for k = 1..conditions do
    A(k, :)'*[w; v] = g(k)
  endfor
  [tau; f] = A'*lambda
end

model class (MbsPlane) MbsNewton
    "impact that gives back a part of the energy that it takes; the contact then opens or stays closed"
  parameter restitution (unit="1", min=0, max=1) = 0
            "root of the part; without friction the velocity after an impact over that before, along the normal"
  parameter v_rest (unit="m/s", min=0) = 1e-3 "a contact that would open more slowly stays closed"
  parameter duration (unit="s", min=1e-12) = 1e-6 "of an impact, in which nothing else moves far"
  constant settling (unit="s") = 1e-3 "of the error of a run in vn while the contact is closed"
  constant newton (unit="N") = 1, fall (unit="m/s2") = 1, below (unit="m") = 1, joule (unit="J") = 1
  terminal (Boolean) hitting (start=false), resting (start=false)
  terminal impulse (unit="N.s", start=0) "of all impacts and of the closed contact"
  local jump (unit="m/s", start=0) "change of the velocity in an impact without friction"
  local until (unit="s", start=0)
  local (Boolean) bounces (start=false)
  local (Boolean) returns (start=false) "the second part of an impact, which gives back energy"
  local (Boolean) begins, turns, ends, opens
  local toward (unit="m/s") "velocity of the approach"
  local away (unit="m/s") "velocity in the first part of an impact"
  local work (unit="J", start=0), before (unit="J", start=0), taken (unit="J", start=0)
        "work of the impacts; before this one; and of its first part, which is negative"
  local given (unit="J") "what has been given back too much"
  local an (unit="m/s2"),
        s (unit="1") "acceleration against the plane; force or acceleration that is free"
  an = der(vn)
  { In an impact the velocity in the direction of the whole force is what changes evenly, not that along the normal: its
    mass is positive, also where friction jams and presses b against the plane until the slip has ended. }
  an + (if hitting then grip'*der(slip) else 0) =
      (if hitting then jump/duration elseif resting then -vn/settling else fall*s)
  N = if hitting or resting then newton*s else 0
  der(impulse) = N
  der(work) = if hitting then N*vn else 0
  { Values that are zero where they do not matter make no events. }
  near = if hitting or resting then below else depth
  toward = if contact and not hitting and not resting then -vn else 0
  away = if hitting and not returns then vn else 0
  given = if returns then work - before - (1 - restitution^2)*taken else -joule
  begins = toward > 1e-3*v_rest and not hitting and not resting
  turns = hitting and not returns and away > 0
  ends = hitting and (turns and not bounces or returns and given > 0 or time >= until)
  opens = resting and N < 0
  new(bounces) = if begins then -restitution*vn > v_rest else bounces
  new(jump) = if begins then (if -restitution*vn > v_rest then -(1 + restitution)*vn else -vn)
              else jump
  new(until) = if begins then time + 100*duration else until
  new(before) = if begins then work else before
  new(taken) = if turns then work - before else taken
  new(returns) = (turns or returns) and not ends
  new(hitting) = begins or hitting and not ends
  new(resting) = ends and not bounces or resting and not opens
end
