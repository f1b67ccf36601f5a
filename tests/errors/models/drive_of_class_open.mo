@mbssim

model class Drive "gear and friction, as one axis of a robot has them"
  submodel (IdealGear) gear(ratio=-99)
  submodel (CoulombFriction) friction(fc=10.9, d=3.92)
  cut motor, joint
  main path P <motor - joint>
  connect gear:A at motor, gear:B at joint, friction at joint
end

model Arm "two axes, one of them not connected to its joint"
  submodel (Inertial) world
  submodel (Revolute) r1(n3=1), r2(n3=1)
  submodel (BodyRod) b1(r1=1, area=2e-4), b2(r1=1, area=2e-4)
  submodel (Drive) d1, d2
  submodel (Rotor) m1(J=0.001), m2(J=0.001)
  connect world to r1 to b1 to r2 to b2, m1 to d1 to r1:ext, m2 to d2
end
