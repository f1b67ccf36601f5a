@mbssim

model FourBar
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, qd0=3), j2(n2=1), j3(n2=1)
  submodel (Bar) b1(r3=1), b2(r1=3), b3(r1=0.3, r3=-2.5), b0(r1=3.3, r3=-1.5)
  submodel (Body) m1(m=1, r3=0.5, I22=0.1), m2(m=2, r1=1.5, I22=1)
  submodel (PlanarCutRevolute) c(n2=1)
  connect i to j1 to b1 to j2 to b2 to j3 to b3, j1 to m1, j2 to m2, i to b0, c:a at b3:b,
          c:b at b0:b
end
