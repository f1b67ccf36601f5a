{ The double pendulum of Otter, Elmqvist and Cellier, section 3: its end is tied to a fixed point by a spring. The z axis
  of the inertial system points downwards. In the home position the pendulum hangs at rest; it swings from
  other start angles: r1.q0, r2.q0. }

@mbssim

model DoublePendulum
  submodel (Inertial) i(ng3=1, g=9.81)
  submodel (Revolute) r1(n2=1), r2(n2=1)
  submodel (Bar) b1(r3=0.5), b2(r3=0.4)
  submodel (Bar) b3(r3=1.3)
  submodel (Body) m1(m=1, r3=0.25)
  submodel (Body) m2(m=1, r3=0.2)
  submodel (Spring) s(c=1, s0=0.5)
  connect i to r1 to b1 to r2 to b2, i to b3,
          r1 to m1, r2 to m2, s at (b3:b, b2:b)
end
