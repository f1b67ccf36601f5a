@mbssim

model TiedJoints
  submodel (Inertial) i(ng3 = -1)
  submodel (Revolute) r1(n1 = 1), r2(n1 = 1), r3(n1 = 1)
  submodel (Body) m1(m = 1, r2 = 1), m2(m = 1, r2 = 1), m3(m = 1, r2 = 1)
  submodel (ShaftSpring) shaft(c = 10)
  connect i to r1 to m1, i to r2 to m2, i to r3 to m3, shaft:A at r1:ext, shaft:B at r2:ext
end
