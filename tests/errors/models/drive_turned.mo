@mbssim

model Elastic
  submodel (Inertial) world
  submodel (Revolute) r(n3 = 1)
  submodel (Body) load(I33 = 19.5)
  submodel (ShaftSpring) shaft(c = 8)
  submodel (Rotor) rotor(J = 0.0013)
  connect world to r to load, r:ext to shaft to rotor
end
