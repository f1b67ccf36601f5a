@mbs
model M
  submodel (Inertial) w(ng3=-1)
  submodel (Revolute) j(n2=1), k(n2=1), l(n2=1)
  submodel (Body) b(m=1, r1=0.5, I22=0.3), c(m=1, r1=0.5, I22=0.3), d(m=1, r1=0.5, I22=0.3)
  submodel (Bar) p(r1=1), q(r1=1), r(r1=1), s(r1=1)
  submodel (CutRevolute) close
  connect w to j to p to k to q to l to r to close to s, s:b at w, b at p:b, c at q:b, d at r:b
end
