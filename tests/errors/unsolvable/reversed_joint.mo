@mbssim

model ReversedJoint
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r1(n3 = 1), r2(n3 = 1)
  submodel (Bar) b1(r1 = 1), b2(r1 = 1)
  submodel (Body) m1(m = 1, I33 = 0.1), m2(m = 1, I33 = 0.1)
  connect i to r1 to b1 to (reversed r2) to b2 to m2
  connect m1 at b1:b
end
