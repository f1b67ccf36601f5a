{ The arm of an excavator, with the loops of PyMbs in closed form: cylinders move the boom and the stick (FourBarTrans), and a cylinder
  with a rocker and a rod turns the bucket (Transmission). The angles of the boom, the stick and the rocker are the
  independent coordinates. The data are made up, in the size of a machine of 20 t. }

@mbsmat

model class (Assembly) Cylinder "hydraulic cylinder; its oil is a spring and damper"
  parameter s0 (unit="m") "length without force"
  parameter c (unit="N/m") = 5e6, d (unit="N.s/m") = 2e5 "of the oil"
  submodel (JointRPR) line(n2=1, r11=1, s0=s0)
  submodel (Body) barrel(m=60, r1=0.4, I11=0.5, I22=5, I33=5),
                  rod(m=40, r1=-0.3, I11=0.2, I22=3, I33=3)
  submodel (JointSpringDamper) oil(c=c, d=d)
  connect a at line:a, b at line:b, barrel at line:ia, rod at line:ib, oil at line:ext
end

model Excavator
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) boom(n2=1, q0=-0.6), stick(n2=1, q0=1.8), rocker(n2=1, q0=-0.2)
  submodel (Bar) foot(r1=0.6, r3=-0.5), eye(r1=2, r3=0.3), tip(r1=5), seat(r1=2.2, r3=0.6),
                 tail(r1=-0.5, r3=0.2)
  submodel (Bar) pin(r1=1.6), hinge(r1=2), arm(r1=0.1, r3=0.4), anchor(r1=0.3, r3=0.4)
  submodel (Cylinder) lift(s0=2.1), reach(s0=3.11), tilt(s0=1.32)
  submodel (JointRRR) bucket(n2=1, r11=0.45, r13=-0.05, r21=0.15, r23=0.35)
  submodel (Body) beam(m=1500, r1=2.4, r3=0.3, I11=150, I22=3500, I33=3500),
                  part(m=500, r1=0.8, r3=0.1, I11=30, I22=300, I33=300),
                  lever(m=10, r3=0.2, I11=0.3, I22=0.3, I33=0.1),
                  bar(m=15, r1=0.2, I11=0.1, I22=0.4, I33=0.4),
                  scoop(m=400, r1=0.3, r3=-0.2, I11=60, I22=80, I33=60)
  connect world to boom to tip to stick, beam at boom:b, world to foot, boom:b to eye,
          boom:b to seat, stick:b to tail,
          part at stick:b
  connect foot:b to lift to eye:b, seat:b to reach to tail:b
  connect stick:b to pin to rocker to arm, stick:b to hinge to bucket:b, arm:b to bucket:a,
          stick:b to anchor,
          anchor:b to tilt to arm:b, lever at rocker:b, bar at bucket:ia, scoop at bucket:ib
end
