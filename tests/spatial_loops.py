"""Three loops in space, each as an assembly in closed form and as joints with cut joints."""

FRAME = """@mbs
model Mechanism "three assemblies side by side between the inertial system and the last link of an arm"
  submodel (Inertial) i(ng=[1, 2, -3])
  submodel (Revolute) arm(n=[1, 1, 0], q0=0.3, qd0=1.2), wrist(n=[0, 1, 0.3], q0=-0.1, qd0=-0.4)
  submodel (Bar) up(r=[0.2, 0.1, 1]), place(r=[0.6, -0.3, 0.1])
  submodel (Body) link(m=2, r=[0.1, 0.2, 0.4], I=diagonal([0.2, 0.3, 0.4]))
  submodel (Body) cylinder(m=1, r=[0.1, 0, 0.2], I=diagonal([0.1, 0.15, 0.2])), rod(m=0.4, r=[0, 0, 0.2]),
                  coupler(m=0.7, r=[0.1, 0.1, -0.3], I=diagonal([0.1, 0.12, 0.14])), rocker(m=0.3, r=[0.1, 0, 0]),
                  crank(m=0.5, I=diagonal([0.1, 0.1, 0.1])), slider(m=0.6, r=[0, 0.1, 0]), pin(m=0.2)
  submodel (JointSpringDamper) oil(c=30, d=2), stop(c=40, d=3)
  submodel (AbsoluteSensor) s
  submodel (CutForce) load
  {joints}
  connect i to arm to load to up to wrist, link at wrist:b, i to place, s at {seen},
          {ends}
end
"""
CLOSED = FRAME.format(
    joints="""submodel (JointUPS) a(na=[1, 2, 0.5], r1=[-0.3, 0.4, 1], s0=0.7)
  submodel (JointUSR) b(na=[0, 1, 0], r1=[0.1, 0.4, 0.8], nb=[1, 0.2, 0], r2=[0.1, 0.3, -0.3])
  submodel (JointSSP) c(r1=[0.1, 0.4, 0.8], nb=[0.3, 0.2, 1], r2=[0.1, 0.3, -0.3])""",
    seen="b:im",
    ends="""place to a, a:b at wrist:b, cylinder at a:ia, rod at a:ib, oil at a:ext,
          place to b, b:b at wrist:b, coupler at b:ia, rocker at b:ib, crank at b:im,
          place to c, c:b at wrist:b, slider at c:ib, pin at c:im, stop at c:ext""",
)
CUT = FRAME.format(
    joints="""submodel (JointState) x1, x2
  submodel (Universal) a(na=[1, 2, 0.5], nb=[1.8, -1.15, 1]), b(na=[0, 1, 0], nb=[0.8, 0, -0.1])
  submodel (Prismatic) p(n=[-0.3, 0.4, 1], q0=0.2), q(n=[0.3, 0.2, 1], q0=-0.2)
  submodel (Revolute) c(n=[1, 0.2, 0])
  submodel (Bar) l1(r=0.7/sqrt(1.25)*[-0.3, 0.4, 1]), l2(r=[0.1, 0.4, 0.8]), l3(r=[0.1, 0.3, -0.3])
  submodel (Bar) l4(r=[0.1, 0.3, -0.3])
  submodel (CutSpherical) c1, c2
  submodel (RodSphericalSpherical) c3(length=0.9)""",
    seen="l3:b",
    ends="""x1 at arm:ext, x2 at wrist:ext,
          place to a to p to l1, c1 at (l1:b, wrist:b), cylinder at a:b, rod at l1:b, oil at p:ext,
          place to b to l2, wrist to c to l3, c2 at (l2:b, l3:b), coupler at b:b, rocker at c:b, crank at l3:b,
          wrist to q to l4, c3 at (place:b, l4:b), slider at q:b, pin at l4:b, stop at q:ext""",
)
