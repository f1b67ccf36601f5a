{ The robot r3 of RobotR3.FullRobot: its mechanics of order n, six axes, one path. }

@mbssim as mbs
@r3_parts

model class Structure "the bodies and joints"
  parameter mLoad (unit="kg") = 15
  constant rad_per_deg = 0.0174532925199433
  submodel (mbs.Inertial) world(ng2=-1, g=9.81)
  submodel (mbs.Bar) b0(r2=0.351), b1(r2=0.324, r3=0.3), b2(r2=0.65), b3(r2=0.414, r3=-0.155),
                b4(r2=0.186), b5(r2=0.125)
  submodel (mbs.Revolute) r1(n2=1, q0=-60*rad_per_deg), r2(n1=1, q0=20*rad_per_deg),
                r3(n1=1, q0=90*rad_per_deg), r4(n2=1),
                r5(n1=1, q0=-110*rad_per_deg), r6(n2=1)
  submodel (mbs.Body) m1(m=1, I22=1.16)
  submodel (mbs.Body) m2(m=56.5, r1=0.172, r2=0.205, I11=2.58, I22=0.64, I33=2.73, I21=-0.46)
  submodel (mbs.Body) m3(m=26.4, r1=0.064, r2=-0.034, I11=0.279, I22=0.245, I33=0.413, I21=-0.07)
  submodel (mbs.Body) m4(m=28.7, I11=1.67, I22=0.081, I33=1.67)
  submodel (mbs.Body) m5(m=5.2, I11=1.25, I22=0.81, I33=1.53)
  submodel (mbs.Body) m6(m=0.5, r1=0.05, r2=0.05, r3=0.05, I11=0.001, I22=0.001, I33=0.001)
  submodel (mbs.Body) load(m=mLoad, r1=0.1, r2=0.25, r3=0.1, I11=0.001, I22=0.001, I33=0.001)
  cut j1, j2, j3, j4, j5, j6
  connect world to b0 to r1 to b1 to r2 to b2 to r3 to b3 to r4 to b4 to r5 to b5 to r6,
          m1 at r1:b, m2 at r2:b, m3 at r3:b, m4 at r4:b, m5 at r5:b, m6 at r6:b, load at r6:b,
          j1 at r1:ext, j2 at r2:ext, j3 at r3:ext, j4 at r4:ext, j5 at r5:ext, j6 at r6:ext
end

model FullRobot
  constant rad_per_deg = 0.0174532925199433
  submodel (KinematicPTP2) way(n=6, q0=rad_per_deg*[-60, 20, 90, 0, -110, 0],
                               q1=rad_per_deg*[60, -70, -35, 45, 110, 45],
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1], a_max=[15, 15, 15, 60, 60, 60])
  submodel (Axis1) a1(ratio=-105, k=1.1616, w=4590, D=0.6, J=0.0013, c=43, d=0.005, Rv0=0.4,
                      Rv1=0.13/160)
  submodel (Axis1) a2(ratio=210, k=1.1616, w=5500, D=0.6, J=0.0013, c=8, d=0.01, Rv0=0.5,
                      Rv1=0.1/130)
  submodel (Axis1) a3(ratio=60, k=1.1616, w=5500, D=0.6, J=0.0013, c=58, d=0.04, Rv0=0.7,
                      Rv1=0.2/130)
  submodel (Axis2) a4(ratio=-99, k=0.2365, w=6250, D=0.55, J=1.6e-4, Rv0=21.8, Rv1=9.8,
                      peak=26.7/21.8)
  submodel (Axis2) a5(ratio=79.2, k=0.2608, w=6250, D=0.55, J=1.8e-4, Rv0=30.1, Rv1=0.03,
                      peak=39.6/30.1)
  submodel (Axis2) a6(ratio=-99, k=0.0842, w=7400, D=0.27, J=4.3e-5, Rv0=10.9, Rv1=3.92,
                      peak=16.8/10.9)
  submodel (Structure) mechanics
  connect mechanics:j1 at a1:ext, mechanics:j2 at a2:ext, mechanics:j3 at a3:ext,
          mechanics:j4 at a4:ext, mechanics:j5 at a5:ext,
          mechanics:j6 at a6:ext
  [a1.control.q_ref, a2.control.q_ref, a3.control.q_ref, a4.control.q_ref, a5.control.q_ref,
   a6.control.q_ref] = way.q
  [a1.control.v_ref, a2.control.v_ref, a3.control.v_ref, a4.control.v_ref, a5.control.v_ref,
   a6.control.v_ref] = way.v
end
