{ Coordinates of joints with several of them, and drive lines: elements that act along the coordinate of a joint, at its cut ext. A part
  of each multibody library. }

@mbs

model class MbsCoordinates "coordinates of a joint of n degrees of freedom"
  parameter (Integer) n = 1 "number of coordinates"
  parameter q0(n) = zeros(n), qd0(n) = zeros(n) "coordinates and their derivatives at the start"
  terminal q(n)(start=q0), qd(n)(start=qd0),
           qdd(n) "coordinates, independent of each other, and their derivatives"
  terminal lambda(n) "applied forces along the coordinates"
  { dT/dq_k*T' = -skew(Phi(1..3, k)) }
  local Phi(6, n)(follows=[T(3,:)'*jacobian(T(2,:), q); T(1,:)'*jacobian(T(3,:), q);
                           T(2,:)'*jacobian(T(1,:), q); T*jacobian(r, q)])
        "Phi*qd is the velocity of b relative to a, [angular; linear], resolved in frame b"
  local zeta(6)(follows=jacobian(Phi*qd, [q; qd])*[qd; zeros(n)] +
                [zeros(3); cross(Phi(1..3,:)*qd, Phi(4..6,:)*qd)])
        "Phi*qdd + zeta is the acceleration of b as seen from frame a, resolved in frame b"
  submodel (MbsCoordinate) coordinate(n) "each with its cut ext"
  default lambda = zeros(n)
  qd = der(q)
  qdd = der(qd)
  for i = 1..n do
    coordinate(i).q = q(i)
    coordinate(i).qd = qd(i)
    coordinate(i).qdd = qdd(i)
  endfor
end

model class MbsMassTerms
    "mass of a body with n coordinates: Irr*aa + Irq*qdd + br is its cut-force at a, Irq'*aa + Iqq*qdd + bq that along the coordinates"
  terminal omega(3)(unit="rad/s", private) "angular velocity of frame a"
  local Irr(6,6)(symmetric, private), Irq(6, n)(private), Iqq(n, n)(symmetric, private)
  local br(6)(private), bq(n)(private)
end

{ --- with one cut --- }

model class JointSpring "spring between the two sides of a joint"
  parameter c "stiffness"
  parameter q_rest = 0 "coordinate without force"
  main cut (DriveCut) a (q, qd, qdd / f)
  f = c*(q - q_rest)
end

model class JointDamper "viscous damper between the two sides of a joint"
  parameter d "force or torque per velocity"
  main cut (DriveCut) a (q, qd, qdd / f)
  f = d*qd
end

model class JointSpringDamper "spring and damper between the two sides of a joint"
  parameter c "stiffness"
  parameter d = 0 "force or torque per velocity"
  parameter q_rest = 0 "coordinate without force of the spring"
  main cut (DriveCut) a (q, qd, qdd / f)
  f = c*(q - q_rest) + d*qd
end

model class JointForce "force or torque that drives the coordinate up"
  terminal f "force or torque on the coordinate"
  main cut (DriveCut) a (q, qd, qdd / -f)
end

model class JointState "preference: the coordinate of this joint should be a state, with the start values of the joint"
  main cut (DriveCut) a (q(state=prefer), qd(state=prefer), qdd / f)
  f = 0
end

model class (MbsDriver) Motion
    "prescribed motion: the coordinate is q_ref, which is differentiated twice; f drives the coordinate up"
  input q_ref "prescribed coordinate"
  q = q_ref
end

model class (MbsDriver) Lock "holds the coordinate where it starts; f is the force on the joint"
  qd = 0
end

model class (JointFriction) CoulombFriction "Coulomb and viscous friction of a joint"
  parameter fc (min=0) "friction force while it slides slowly"
  parameter d (min=0) = 0 "further force per velocity"
  parameter peak (unit="1", min=1) = 1 "greatest force without sliding, over fc"
  free = fc <= 0
  f0 = fc
  fmax = peak*fc
  slope = d
end

model class (JointFriction) Brake "brake of a joint, pressed by engaged, 0 to 1"
  parameter fc (min=0) "friction force while it slides, fully engaged"
  parameter peak (unit="1", min=1) = 1 "greatest force without sliding, over that"
  terminal engaged (unit="1")
  free = engaged <= 0
  f0 = fc*engaged
  fmax = peak*f0
  slope = 0
end

{ --- with two cuts: B is nearer to the joint --- }

model class (DriveTwoCut) MbsGear "gear; a subclass gives the forces"
  parameter ratio (unit="1") "motion of A for one of B"
  assert ratio <> 0, "the ratio of a gear must not be zero"
  qa = ratio*qb
  qda = ratio*qdb
  qdda = ratio*qddb
end

model class (IdealGear) Rack
    "rack and pinion, rope and drum, or a spindle, without loss: A turns by ratio while B moves one meter"
  parameter ratio (unit="rad/m") "motion of A for one of B"
end

model class JointGear "gear without loss between two joints: A turns ratio times as fast as B"
  parameter ratio (unit="1") "motion of A for one of B"
  assert ratio <> 0, "the ratio of a gear must not be zero"
  cut (DriveCut) A (qa, qda, qdda / lambdaa), B (qb, qdb, qddb / lambdab)
  main cut W [A, B]
  main path P <A - B>
  qa = ratio*qb
  lambdab = -ratio*lambdaa
end

model class (DriveTwoCut) MbsShaft "elastic shaft; a subclass gives the forces"
  parameter c "stiffness"
  parameter d = 0 "damping"
  parameter q_rest = 0 "twist without force"
  terminal twist,
           rate
           "motion of A relative to B and its derivative: states, which start at zero unless an initial equation determines them"
  terminal f "force of the shaft"
  f = c*(twist - q_rest) + d*rate
  rate = der(twist)
  qa = qb + twist
  qda = qdb + rate
  qdda = qddb + der(rate)
end

{ --- connections to the one-dimensional libraries --- }

model class RotationalFlange "joins a joint or drive line to a flange of rotational.mo"
  cut F (q(unit="rad") / tau(unit="N.m"))
  cut (DriveCut) a (q, qd, qdd / -tau)
  main path P <F - a>
end

model class TranslationalFlange "joins a joint or drive line to a flange of translational.mo"
  cut F (q(unit="m") / f(unit="N"))
  cut (DriveCut) a (q, qd, qdd / -f)
  main path P <F - a>
end

{ --- stops --- }

model class JointStop "compliant stops at both ends of the range of a joint: springs and dampers that never pull"
  parameter q_min, q_max "range without force"
  parameter c (min=0) "stiffness"
  parameter d (min=0) = 0 "force or torque per velocity; the damper never exceeds the spring"
  main cut (DriveCut) a (q, qd, qdd / f)
  local (Boolean) low, high "at a stop"
  local fc "force of the spring"
  assert q_min <= q_max, "the range of a stop is empty: q_min must be at most q_max"
  low = q < q_min
  high = q > q_max
  fc = if high then c*(q - q_max) elseif low then c*(q - q_min) else 0
  f = if high or low then fc + noevent(max(-abs(fc), min(abs(fc), d*qd))) else 0
end
