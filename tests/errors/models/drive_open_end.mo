@mbssim

model Geared
  submodel (Inertial) world
  submodel (Revolute) r(n3 = 1)
  submodel (Body) load(I33 = 19.5)
  submodel (IdealGear) gear(ratio = 210)
  submodel (Rotor) rotor(J = 0.0013)
  connect world to r to load, rotor to gear
end
