@mbssim

model NoInertiaAboutAxis
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r(n3 = 1), r2(n1 = 1)
  submodel (Bar) b(r1 = 1)
  submodel (Body) m(m = 1)
  connect i to r to b to r2 to m
end
