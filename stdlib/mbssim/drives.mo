{ Drive lines: a part of mbssim.mo.

  An element provides applied and J: the force applied + J*qdd counts into it, as in (14). Gears and shafts pass both on towards the
  joint, and motion away from it, so that the drive of a joint forms no system of equations. Friction provides L too. }

@mbssim
@friction as fric

model class Rotor "inertia, or mass, that moves with the coordinate"
  parameter J (min=0) "moment of inertia, or mass"
  main cut (DriveCut) a (q, qd, qdd, . / applied, Ja)
  applied = 0
  Ja = J
end

model class LoopJoint "the motion of this joint follows from a loop: mbssim then needs no mass after it"
  main cut (DriveCut) a (q, qd, qdd, . / f, ., ., ., loose)
  f = 0
  loose = 1
end

model class MbsDriver "element that moves a coordinate; a subclass gives the motion"
  main cut (DriveCut) a (q, qd, qdd, f, . / applied, ., L, p, ., moves)
  terminal f "force or torque on the joint"
  applied = 0
  L = 1
  moves = 1
end

model class (fric.FrictionModes) JointFriction
    "friction along the coordinate; a subclass gives free, f0, fmax and slope"
  main cut (DriveCut) a (q, qd, qdd, hold, driven / applied, ., L, p)
  terminal f "friction force, against the motion"
  local slope "force per velocity in addition to f0"
  constant reference = 1 "force that makes L = 1"
  v_fric = qd
  a_fric = qdd
  applied = if locked or free then 0 elseif forward then f0 + slope*qd else slope*qd - f0
  L = if locked and driven < 0.5 then fmax/reference else 0
  p = 0
  f = if locked then sa else applied
  { Where something else moves the joint, no equation gives the force of friction that sticks: it is zero, with a note. }
  (if locked and driven > 0.5 then 0 else 1)*sa =
      if locked and driven > 0.5 then 0 elseif locked then -fmax/reference*hold
      elseif free then one*qdd
      elseif forward then one*qdd + fmax
      else one*qdd - fmax
end

model class DriveTwoCut "element between two points of a drive line"
  cut (DriveCut) A (qa, qda, qdda, holda, drivena / applieda, -Ja, -La, -pa, ., -movesa)
  cut (DriveCut) B (qb, qdb, qddb, holdb, drivenb / appliedb, Jb, Lb, pb, ., movesb)
  main cut W [A, B]
  main path P <A - B>
  local lambdaa, lambdab "whole force into it at A, at B"
  lambdaa = applieda - Ja*qdda + La*holda
  lambdab = appliedb + Jb*qddb - Lb*holdb
end

model class (MbsGear) IdealGear "gear without loss: A turns ratio times as fast as B"
  holda = holdb*noevent(sign(ratio))
  appliedb = -ratio*applieda
  Jb = ratio^2*Ja
  Lb = noevent(abs(ratio))*La
  pb = pa/ratio
  drivena = drivenb
  movesb = movesa
end

model class (MbsShaft) ShaftSpring "elastic shaft with damping: A moves independently of B"
  { Elements connected to A move like bodies after a joint: (8) }
  qdda = pa + noevent(if La > 0 then 0 else 1)*(applieda - f)/Ja
  holda = noevent(if La > 0 then 1 else 0)*(f - applieda + Ja*pa)/noevent(if La > 0 then La else 1)
  appliedb = -f
  Jb = 0
  Lb = 0
  pb = 0
  drivena = movesa
  movesb = 0
end
