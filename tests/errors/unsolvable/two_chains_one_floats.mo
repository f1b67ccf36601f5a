@mbssim

model TwoChainsOneFloats
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r(n3 = 1), r2(n3 = 1)
  submodel (Bar) b(r1 = 1), b2(r1 = 1)
  submodel (Body) m(m = 1, I33 = 0.1), m2(m = 1, I33 = 0.1)
  connect i to r to b to m
  connect r2 to b2 to m2
end
