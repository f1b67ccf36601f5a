@mbssim

model TwoInertials
  submodel (Inertial) i1(ng2 = -1), i2
  submodel (Revolute) r(n3 = 1)
  submodel (Bar) b(r1 = 1)
  submodel (Body) m(m = 1, I33 = 0.1)
  connect i1 to r to b to m
  connect i2 at b:b
end
