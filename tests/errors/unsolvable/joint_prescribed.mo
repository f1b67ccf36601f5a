@mbssim

model JointPrescribed
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r(n3 = 1)
  submodel (Bar) b(r1 = 1)
  submodel (Body) m(m = 1, I33 = 0.1)
  connect i to r to b to m
  r.q = sin(time)
end
