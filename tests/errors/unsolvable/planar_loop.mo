@mbs

model SliderCrank
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n2=1, q0=0.5), pin(n2=1)
  submodel (Prismatic) slide(n1=1, q0=1.5)
  submodel (Bar) b1(r3=0.3), b2(r1=1, r2=0.1)
  submodel (Body) m1(m=1, r3=0.1, I22=0.1), m2(m=1, r1=0.5, I22=0.1), piston(m=2)
  submodel (CutRevolute) c(n2=1)
  connect i to crank to b1 to pin to b2, i to slide, crank to m1, pin to m2, piston at slide:b
  connect c:a at b2:b, c:b at slide:b
end
