{ The Manutec r3 without drives: it falls from a given position with a load of 15 kg, braked by viscous
  dampers in the joints. Geometry, masses and inertias as in the example RobotR3 of the Modelica Standard
  Library; y points upwards. }

@mbssim

model R3arm "Manutec r3, falling, with damped joints"
  submodel (Inertial) i(ng2=-1)
  submodel (Revolute) r1(n2=1, q0=-1, qd0=0.5), r2(n1=1, q0=0.35, qd0=-0.4),
                      r3(n1=1, q0=1.5, qd0=0.3)
  submodel (Revolute) r4(n2=1, q0=0.2, qd0=0.6), r5(n1=1, q0=-1.9, qd0=-0.7),
                      r6(n2=1, q0=0.3, qd0=0.8)
  submodel (JointDamper) d1(d=10), d2(d=10), d3(d=10), d4(d=2), d5(d=2), d6(d=2)
  { b0 to b5: from each joint to the next }
  submodel (Bar) b0(r2=0.351), b1(r2=0.324, r3=0.3), b2(r2=0.65)
  submodel (Bar) b3(r2=0.414, r3=-0.155), b4(r2=0.186), b5(r2=0.125)
  submodel (Body) m1(m=1, I22=1.16)
  submodel (Body) m2(m=56.5, r1=0.172, r2=0.205, I11=2.58, I22=0.64, I33=2.73, I21=-0.46)
  submodel (Body) m3(m=26.4, r1=0.064, r2=-0.034, I11=0.279, I22=0.245, I33=0.413, I21=-0.070)
  submodel (Body) m4(m=28.7, I11=1.67, I22=0.081, I33=1.67)
  submodel (Body) m5(m=5.2, I11=1.25, I22=0.81, I33=1.53)
  submodel (Body) m6(m=0.5, r1=0.05, r2=0.05, r3=0.05, I11=0.001, I22=0.001, I33=0.001)
  submodel (Body) load(m=15, r1=0.1, r2=0.25, r3=0.1, I11=0.001, I22=0.001, I33=0.001)
  connect i to b0 to r1 to b1 to r2 to b2 to r3 to b3 to r4 to b4 to r5 to b5 to r6,
          m1 at r1:b, d1 at r1:ext,
          m2 at r2:b, d2 at r2:ext,
          m3 at r3:b, d3 at r3:ext,
          m4 at r4:b, d4 at r4:ext,
          m5 at r5:b, d5 at r5:ext,
          m6 at r6:b, load at r6:b, d6 at r6:ext
end
