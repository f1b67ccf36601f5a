{ From the motor to the joint: gears with friction, elastic in the first three axes. }

@multibody

model class R3drive "a gear and bearing friction; a subclass connects them"
  parameter ratio (unit="1") "turns of the motor for one of the joint"
  parameter Rv0 (unit="N.m"), Rv1 (unit="N.m.s/rad") "friction, and its increase with the speed"
  parameter peak (unit="1") = 1 "greatest friction without motion, over Rv0"
  submodel (mbs.IdealGear) gear(ratio=ratio)
  submodel (mbs.CoulombFriction) friction(fc=Rv0, d=Rv1, peak=peak)
  cut motor, joint
  main path P <motor - joint>
  connect gear:B at joint
  initial
    { A bearing that sticks could carry any torque: at the start it carries none. }
    friction.f = 0
  endinitial
end

model class (R3drive) R3drive1 "friction at the motor, and an elastic shaft to the gear"
  parameter c (unit="N.m/rad"), d (unit="N.m.s/rad") "stiffness and damping"
  submodel (mbs.ShaftSpring) spring(c=c, d=d)
  connect spring:A at motor, spring:B at gear:A, friction at motor
  initial
    gear.qddb = 0
    spring.rate = 0
  endinitial
end

model class (R3drive) R3drive2 "a stiff gear, and friction at the joint"
  connect gear:A at motor, friction at joint
end
