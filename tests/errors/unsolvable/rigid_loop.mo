@mbssim

model RigidLoop
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r(n3 = 1)
  submodel (Bar) b1(r1 = 1), b2(r1 = 1)
  submodel (Body) m(m = 1, I33 = 0.1)
  connect i to r to (b1 par b2) to m
end
