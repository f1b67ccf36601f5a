{ An arm like the UR5 of Universal Robots: six revolute joints that are driven by given torques. Lengths, masses and centers of
  mass are those of the manufacturer's page "DH parameters for calculations of kinematics and dynamics":
  a = 0, -0.425, -0.39225, 0, 0, 0 m; d = 0.089159, 0, 0, 0.10915, 0.09465, 0.0823 m; alpha = 90, 0, 0, 90, -90, 0 degrees.
  The page has no inertias: here each link is a solid cylinder of its length and of the radius of its housing.
  At zero the arm is stretched along the negative axis 1, as with these parameters; axis 3 points upwards.
  Its tool is at tool.r. The mechanism works with all multibody libraries. }

@mbssim

model class Tube "solid cylinder of the mass m, its axis along n, a unit vector"
  parameter m (unit="kg"), radius (unit="m"), length (unit="m")
  parameter r1 (unit="m") = 0, r2 (unit="m") = 0, r3 (unit="m") = 0 "center of mass"
  parameter n1 (unit="1") = 0, n2 (unit="1") = 0, n3 (unit="1") = 0 "axis"
  parameter across (unit="kg.m2") = m*(radius^2/4 + length^2/12),
            along (unit="kg.m2") = m*radius^2/2
  cut (Frame) a
  submodel (Body) body(m=m, r1=r1, r2=r2, r3=r3, I11=across + (along - across)*n1^2,
                       I22=across + (along - across)*n2^2, I33=across + (along - across)*n3^2)
  connect a at body
end

model UR5
  parameter tau(6)(unit="N.m") = [0, -40, -15, 0, 0, 0] "torques of the drives"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) j1(n3=1), j2(n2=-1, q0=-0.8), j3(n2=-1, q0=0.5), j4(n2=-1, q0=-1),
                      j5(n3=-1, q0=0.3), j6(n2=-1)
  submodel (Bar) base(r3=0.089159), upper(r1=-0.425), fore(r1=-0.39225), wrist1(r2=-0.10915),
                 wrist2(r3=-0.09465),
                 flange(r2=-0.0823)
  submodel (Tube) m1(m=3.7, radius=0.06, length=0.15, r2=-0.00193, r3=0.063549, n3=1),
                  m2(m=8.393, radius=0.06, length=0.425, r1=-0.2125, r2=-0.11336, n1=1),
                  m3(m=2.33, radius=0.054, length=0.39225, r1=-0.24225, r2=-0.0265, n1=1),
                  m4(m=1.219, radius=0.045, length=0.12, r2=-0.10735, r3=-0.01634, n2=1),
                  m5(m=1.219, radius=0.045, length=0.12, r2=-0.01634, r3=-0.09285, n3=1),
                  m6(m=0.1879, radius=0.0375, length=0.0375, r2=-0.081141, n2=1)
  submodel (JointForce) d(6)
  submodel (AbsoluteSensor) tool
  connect world to j1 to base to j2 to upper to j3 to fore to j4 to wrist1 to j5 to wrist2 to j6 to flange,
          tool at flange:b
  connect m1:a at j1:b, m2:a at j2:b, m3:a at j3:b, m4:a at j4:b, m5:a at j5:b, m6:a at j6:b
  connect d(1) at j1:ext, d(2) at j2:ext, d(3) at j3:ext, d(4) at j4:ext, d(5) at j5:ext,
          d(6) at j6:ext
  d.f = tau
end
