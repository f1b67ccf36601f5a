{ The arm as it is printed: Otter, Elmqvist and Cellier, section 7, with z upwards. The lines that "..." stands for there (m3 to m5, j3 to j5) are those of
  the arm's later edition for ModelicaAdditions (Otter 2000), whose y and z axes are exchanged. q10 to q60 are added. }

@multibody

model class R3mbs "bodies and joints; the drives act at j1 to j6"
  parameter mL (unit="kg") = 0 "mass of the load"
  parameter rL1 (unit="m") = 0, rL2 (unit="m") = 0,
            rL3 (unit="m") = 0 "its place, in the frame of joint 6"
  parameter q10 (unit="rad") = 0, q20 (unit="rad") = 0,
            q30 (unit="rad") = 0 "where the joints begin"
  parameter q40 (unit="rad") = 0, q50 (unit="rad") = 0, q60 (unit="rad") = 0
  submodel (mbs.Inertial) i(ng3=-1, g=9.81)
  submodel (mbs.Revolute) r1(n3=1, q0=q10), r2(n1=1, q0=q20), r3(n1=1, q0=q30)
  submodel (mbs.Revolute) r4(n3=1, q0=q40), r5(n1=1, q0=q50), r6(n3=1, q0=q60)
  submodel (mbs.Bar) b3(r3=0.5), b5(r3=0.73), bL(r1=rL1, r2=rL2, r3=rL3)
  submodel (mbs.Body) m1(I33=1.16)
  submodel (mbs.Body) m2(m=56.5, r1=0.172, r3=0.205, I11=2.58, I22=2.73, I33=0.64, I31=-0.46)
  submodel (mbs.Body) m3(m=26.4, r1=0.064, r3=-0.034, I11=0.279, I22=0.413, I33=0.245, I31=-0.07)
  submodel (mbs.Body) m4(m=28.7, r3=0.32, I11=1.67, I22=1.67, I33=0.081)
  submodel (mbs.Body) m5(m=5.2, r3=0.023, I11=1.25, I22=1.53, I33=0.81)
  submodel (mbs.Body) load(m=mL)
  cut j1, j2, j3, j4, j5, j6
  connect i to r1 to r2 to b3 to r3 to r4 to b5 to r5 to r6 to bL,
          m1 at r1:b, m2 at r2:b, m3 at r3:b, m4 at r4:b, m5 at r5:b, load at bL:b,
          j1 at r1:ext, j2 at r2:ext, j3 at r3:ext, j4 at r4:ext, j5 at r5:ext, j6 at r6:ext
end
