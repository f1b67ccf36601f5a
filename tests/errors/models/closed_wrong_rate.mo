@mbs
model Slider
  submodel (Inertial) world
  submodel (Revolute) crank(n2=1, q0=0.3), pin(n2=1)
  submodel (Prismatic) slide(n1=1)
  submodel (Bar) throw(r1=0.1), rod(r1=0.35)
  submodel (Body) piston(m=1)
  submodel (PlanarCutRevolute) close(n2=1)
  connect world to crank to throw to pin to rod, world to slide to piston, close at (slide:b, rod:b)
  local A, A1
  A = -asin(sin(crank.q)/3.5)
  A1 = -cos(crank.q)/(3.5*cos(A))
  closed pin.q = A - crank.q
  closed slide.q = 0.1*cos(crank.q) + 0.35*cos(A)
  closed pin.qd = (A1 + 1)*crank.qd
end
