{ Coordinates of joints, and drive lines, whose elements give forces: a part of mbs.mo, mbsmat.mo and mbsabs.mo. }

@mbs
@friction as fric

cut class DriveCut (q, qd, qdd / lambda) "coordinate and force of a joint or a drive line"

model class MbsAngleCut "angle of a joint"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut (DriveCut) ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0),
                      qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
end

model class MbsDisplacementCut "displacement of a joint"
  parameter q0 (unit="m") = 0 "displacement at the start"
  parameter qd0 (unit="m/s") = 0 "velocity at the start"
  cut (DriveCut) ext (q(unit="m", start=q0), qd(unit="m/s", start=qd0),
                      qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along the axis"
end

model class MbsFactors "linear factors of a joint, of which only mbssim has equations"
end

model class MbsTurnFactors "the same for a joint that turns only"
end

model class MbsSliderCut "displacement of a slider"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2") / lambda(unit="N"))
      "displacement of the slider and force along it"
end

model class MbsCoordinate "coordinate of a JointN as a cut, for drives, springs and stops"
  main cut (DriveCut) ext (q, qd, qdd / lambda) "coordinate and force along it"
end

model class Rotor "inertia, or mass, that moves with the coordinate"
  parameter J (min=0) "moment of inertia, or mass"
  main cut (DriveCut) a (q, qd, qdd / f)
  f = J*qdd
end

model class LoopJoint "the motion of this joint follows from a loop: mbssim then needs no mass after it"
  main cut (DriveCut) a (q, qd, qdd / f)
  f = 0
end

model class MbsDriver "element that moves a coordinate; a subclass gives the motion"
  main cut (DriveCut) a (q, qd, qdd / -f)
  terminal f "force or torque on the joint"
end

model class (fric.CoulombFriction) JointFriction
    "friction along the coordinate; a subclass gives free, f0, fmax and slope"
  main cut (DriveCut) a (q, qd, qdd / f)
  terminal f "friction force, against the motion"
  local slope "force per velocity in addition to f0"
  v_fric = qd
  a_fric = qdd
  f = if locked then sa elseif free then 0 elseif forward then f0 + slope*qd else slope*qd - f0
end

model class DriveTwoCut "element between two points of a drive line"
  cut (DriveCut) A (qa, qda, qdda / lambdaa), B (qb, qdb, qddb / lambdab)
  main cut W [A, B]
  main path P <A - B>
end

model class (MbsGear) IdealGear "gear without loss: A turns ratio times as fast as B"
  lambdab = -ratio*lambdaa
end

model class (MbsShaft) ShaftSpring "elastic shaft with damping: A moves independently of B"
  lambdaa = f
  lambdab = -f
end
