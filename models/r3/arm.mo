{ The arm of the robot: six joints, seven bodies. Masses and lengths of the Manutec r3 as in the Modelica Standard Library 4.0,
  Mechanics.MultiBody.Examples.Systems.RobotR3 (Tuerk and Otter 1987): in the home position the arm points upward, along y. }

@multibody

model class R3mbs "bodies and joints; the drives act at j1 to j6"
  parameter mL (unit="kg") = 15 "mass of the load"
  parameter rL1 (unit="m") = 0.1, rL2 (unit="m") = 0.25,
            rL3 (unit="m") = 0.1 "its center, in the frame of joint 6"
  parameter q10 (unit="rad") = 0, q20 (unit="rad") = 0,
            q30 (unit="rad") = 0 "where the joints begin"
  parameter q40 (unit="rad") = 0, q50 (unit="rad") = 0, q60 (unit="rad") = 0
  submodel (mbs.Inertial) world(ng2=-1, g=9.81)
  submodel (mbs.Bar) b0(r2=0.351), b1(r2=0.324, r3=0.3), b2(r2=0.65), b3(r2=0.414, r3=-0.155),
                b4(r2=0.186), b5(r2=0.125)
  submodel (mbs.Revolute) r1(n2=1, q0=q10), r2(n1=1, q0=q20), r3(n1=1, q0=q30),
                r4(n2=1, q0=q40), r5(n1=1, q0=q50), r6(n2=1, q0=q60)
  submodel (mbs.Body) m1(m=1, I22=1.16)
  submodel (mbs.Body) m2(m=56.5, r1=0.172, r2=0.205, I11=2.58, I22=0.64, I33=2.73, I21=-0.46)
  submodel (mbs.Body) m3(m=26.4, r1=0.064, r2=-0.034, I11=0.279, I22=0.245, I33=0.413, I21=-0.07)
  submodel (mbs.Body) m4(m=28.7, I11=1.67, I22=0.081, I33=1.67)
  submodel (mbs.Body) m5(m=5.2, I11=1.25, I22=0.81, I33=1.53)
  submodel (mbs.Body) m6(m=0.5, r1=0.05, r2=0.05, r3=0.05, I11=0.001, I22=0.001, I33=0.001)
  submodel (mbs.Body) load(m=mL, r1=rL1, r2=rL2, r3=rL3, I11=0.001, I22=0.001, I33=0.001)
  cut j1, j2, j3, j4, j5, j6
  connect world to b0 to r1 to b1 to r2 to b2 to r3 to b3 to r4 to b4 to r5 to b5 to r6,
          m1 at r1:b, m2 at r2:b, m3 at r3:b, m4 at r4:b, m5 at r5:b, m6 at r6:b, load at r6:b,
          j1 at r1:ext, j2 at r2:ext, j3 at r3:ext, j4 at r4:ext, j5 at r5:ext, j6 at r6:ext
end
