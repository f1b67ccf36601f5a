@mbssim

model ClosedChain
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r1(n3 = 1, closing = false), r2(n3 = 1, closing = false), r3(n3 = 1, closing = false)
  submodel (Revolute) r4(n3 = 1, closing = false)
  submodel (Bar) b1(r1 = 1), b2(r1 = 1), b3(r1 = 1)
  submodel (Body) m1(m = 1), m2(m = 1), m3(m = 1)
  connect i to r1 to b1 to r2 to b2 to r3 to b3 to r4 to i
  connect m1 at b1:b, m2 at b2:b, m3 at b3:b
end
