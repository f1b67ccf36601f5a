@mbssim

model NoInertial
  submodel (Revolute) r(n3 = 1)
  submodel (Bar) b(r1 = 1)
  submodel (Body) m(m = 1, I33 = 0.1)
  connect r to b to m
end
