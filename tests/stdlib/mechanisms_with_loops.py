"""Mechanisms with loops as texts for `mbs`: cut by a joint, and closed by an assembly of joints."""

FOUR_BAR = """@mbs
model FourBar
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, qd0=3){joints}
  submodel (Bar) b1(r3=1), b0(r1=3.3, r3=-1.5){bars}
  submodel (Body) m1(m=1, r3=0.5, I11=0.1, I22=0.1, I33=0.1), m2(m=2, r1=1.5, r3=0.1, I11=0.3, I22=1, I33=1),
                  m3(m=1, r1={x}, r3=-1, I11=0.3, I22=0.5, I33=0.3)
  submodel (Spring) s(c=50, s0=1)
  connect i to j1 to b1, i to b0, m1 at j1:b
  {rest}
end
"""
CUT = FOUR_BAR.format(
    joints=", j2(n2=1), j3(n2=1)\n  submodel (JointState) state",
    bars=", b2(r1=3), b3(r1=0.3, r3=-2.5)\n  submodel (PlanarCutRevolute) c(n2=1)",
    x=0.3,
    rest="connect b1 to j2 to b2 to j3 to b3, m2 at j2:b, m3 at j3:b, c:a at b3:b, c:b at b0:b, state at j1:ext, s at "
    "(i:a, b2:b)",
)
CLOSED = FOUR_BAR.format(
    joints="",
    bars=", up(r1=-0.3, r3=2.5)\n  submodel (JointRRR) j(n2=1, r11=3, r21=-0.3, r23=2.5)",
    x=0.3,
    rest="connect b1 to j:a, b0 to j:b, m2 at j:ia, j:ib to up, m3 at up:b, s at (i:a, j:im)",
)
# The same in space: a universal and a spherical joint in the place of two revolute joints let the last one ask for all.
SPATIAL = FOUR_BAR.format(
    joints=", x2(n3=1), j2(n2=1)\n  submodel (SphericalCardan) j3\n  submodel (JointState) state",
    bars=", b2(r1=3), b3(r1=0.3, r3=-2.5)\n  submodel (CutRevolute) c(n2=1)",
    x=0.3,
    rest="connect b1 to x2 to j2 to b2 to j3 to b3, m2 at j2:b, m3 at j3:b, c:a at b3:b, c:b at b0:b, state at "
    "j1:ext, s at (i:a, b2:b)",
)
CRANK = """@mbs
model SliderCrank
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) crank(n2=1, qd0=8){joints}
  submodel (JointSpring) g(c=30)
  submodel (Bar) b1(r3=0.3), place(r1=1, r3=0.2){bars}
  submodel (Body) m1(m=1, r3=0.1, I22=0.1), m2(m=1, r1=0.5, r3=0.1, I22=0.1), piston(m=2)
  connect i to crank to b1, i to place, m1 at crank:b
  {rest}
end
"""
CRANK_CUT = CRANK.format(
    joints=", pin(n2=1)\n  submodel (Prismatic) slide(n1=1)\n  submodel (JointState) state",
    bars=", b2(r1=1, r3=-0.1)\n  submodel (PlanarCutRevolute) c(n2=1)",
    rest="connect b1 to pin to b2, place to slide, m2 at pin:b, piston at slide:b, c:a at b2:b, c:b at slide:b, state "
    "at crank:ext, g at slide:ext",
)
CRANK_CLOSED = CRANK.format(
    joints="",
    bars="\n  submodel (JointRRP) j(n2=1, r11=1, r13=-0.1, nb1=1)",
    rest="connect b1 to j:a, place to j:b, m2 at j:ia, piston at j:im, g at j:ext",
)
CYLINDER = """@mbs
model Boom
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) boom(n2=1, qd0=-1){joints}
  submodel (Bar) b1(r1=1, r3=0.2), place(r1=0.4, r3=-0.8){bars}
  submodel (Body) m1(m=3, r1=0.6, I22=0.2), m2(m=2, r1=0.1, r3=0.2, I11=0.1, I22=0.1), m3(m=1, r1=-0.1, r3=-0.3,
    I22=0.1)
  submodel (JointSpring) g(c=300, q_rest=0.1)
  connect i to boom to b1, i to place, m1 at boom:b
  {rest}
end
"""
CYLINDER_CUT = CYLINDER.format(
    joints=", pin(n2=1)\n  submodel (Prismatic) slide(n1=0.6, n3=1)\n  submodel (JointState) state",
    bars=", zero(r1=0.6, r3=1)\n  submodel (PlanarCutRevolute) c(n2=1)",
    rest="connect place to pin to zero to slide, m2 at pin:b, m3 at slide:b, c:a at slide:b, c:b at b1:b, state at "
    "boom:ext, g at slide:ext",
)
CYLINDER_CLOSED = CYLINDER.format(
    joints="",
    bars="\n  submodel (JointRPR) j(n2=1, r11=0.6, r13=1, s0=sqrt(1.36))",
    rest="connect place to j:a, b1 to j:b, m2 at j:ia, m3 at j:ib, g at j:ext",
)
HANGING = """@mbs
model Hanging
  submodel (Inertial) i(ng1=1, ng2=2, ng3=-3)
  submodel (Revolute) arm(n1=1, n2=1)
  submodel (Bar) bar(r1=0.4, r3=0.3)
  submodel (Body) link(m=1.5, r1=0.2, I11=0.1, I22=0.2, I33=0.3)
  submodel (Body) m(m=2, r1=0.1, r2=-0.2, r3=0.3, I11=0.4, I22=0.5, I33=0.6, I21=0.05, I31=-0.1, I32=0.02)
  submodel {joint} j{given}
  connect i to arm to bar, link at arm:b
  {rest}
end
"""
LONG = """@mbs
model FourBar
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) j1(n2=1, qd0=3), j2(n2=1), j3(n2=1)
  submodel (Bar) b1(r3=1), b2(r1=3), b3(r1=0.3, r3=-2.5), b0(r1=3.3, r3=-1.5)
  submodel (Body) m1(m=1, r3=0.5, I22=0.1), m2(m=2, r1=1.5, I22=1), m3(m=1, r3=-1, I22=0.5)
  submodel (PlanarCutRevolute) c(n2=1)
  connect i to j1 to b1 to j2 to b2 to j3 to b3, j1 to m1, j2 to m2, j3 to m3, i to b0, c:a at b3:b, c:b at b0:b
end
"""
