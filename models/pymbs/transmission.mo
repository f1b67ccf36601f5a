{ The kinematic loop Transmission of PyMbs in closed form: a rocker turns the bucket of an excavator by a rod, and a cylinder
  turns the rocker. The angles of the stick and of the rocker are the independent coordinates. }

@mbsmat

model Transmission "stick and bucket of an excavator"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) stick(n2=1, q0=0.6), rocker(n2=1, q0=-0.2)
  submodel (Bar) pin(r1=1.6), hinge(r1=2), arm(r1=0.1, r3=0.4), anchor(r1=0.3, r3=0.4)
  submodel (JointRRR) bucket(n2=1, r11=0.45, r13=-0.05, r21=0.15, r23=0.35)
  submodel (JointRPR) cylinder(n2=1, r11=1.4, s0=1.4)
  submodel (Body) beam(m=120, r1=0.9, I11=5, I22=40, I33=40),
                  lever(m=10, r3=0.2, I11=0.3, I22=0.3, I33=0.1),
                  bar(m=15, r1=0.2, I11=0.1, I22=0.4, I33=0.4),
                  scoop(m=80, r1=0.3, r3=-0.2, I11=8, I22=10, I33=8),
                  barrel(m=20, r1=0.4, I11=0.2, I22=2, I33=2)
  submodel (JointSpringDamper) hold(c=3e4, d=3e3, q_rest=0.6), oil(c=2e5, d=1e4)
  connect world to stick, stick:b to pin to rocker to arm, stick:b to hinge to bucket:b,
          arm:b to bucket:a,
          stick:b to anchor to cylinder:a, arm:b to cylinder:b, beam at stick:b, lever at rocker:b,
          bar at bucket:ia, scoop at bucket:ib, barrel at cylinder:ia, hold at stick:ext,
          oil at cylinder:ext
end
