@mbssim

model Geared "the motor hangs on nothing: 'rotor to' is missing before the gear"
  submodel (Inertial) world
  submodel (Revolute) r(n3=1)
  submodel (Body) load(I33=19.5)
  submodel (IdealGear) gear(ratio=210)
  submodel (Rotor) rotor(J=0.0013)
  submodel (JointForce) motor
  connect world to r to load, gear to r:ext, motor at rotor
  motor.f = 1
end
