{ The robot Manutec r3 with all that moves it: six axes, each with a cascade controller, a motor whose current is controlled by three operational
  amplifiers, a gear with friction, and the arm. M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the
  Object-Oriented Modeling Language Dymola, figure 1; parameters and path as in RobotR3.FullRobot of the Modelica Standard Library 4.0. }

@control
@motor
@drives
@arm

model R3 "from one position to another, with 15 kg in its hand"
  constant i1 = -105, i2 = 210, i3 = 60, i4 = -99, i5 = 79.2, i6 = -99 "ratios of the gears"
  constant deg (unit="rad") = 0.0174532925199433
  submodel (KinematicPTP2) way(n=6, q0=deg*[-60, 20, 90, 0, -110, 0],
                               q1=deg*[60, -70, -35, 45, 110, 45],
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1], a_max=[15, 15, 15, 60, 60, 60])
  submodel (R3control) c1(ratio=i1), c2(ratio=i2), c3(ratio=i3), c4(ratio=i4), c5(ratio=i5),
                       c6(ratio=i6)
  submodel (R3motor) m1(k=1.1616, J=0.0013, w=4590, D=0.6), m2(k=1.1616, J=0.0013, w=5500, D=0.6),
                     m3(k=1.1616, J=0.0013, w=5500, D=0.6), m4(k=0.2365, J=1.6e-4, w=6250, D=0.55),
                     m5(k=0.2608, J=1.8e-4, w=6250, D=0.55), m6(k=0.0842, J=4.3e-5, w=7400, D=0.27)
  submodel (R3drive1) d1(ratio=i1, c=43, d=0.005, Rv0=0.4, Rv1=0.13/160),
                      d2(ratio=i2, c=8, d=0.01, Rv0=0.5, Rv1=0.1/130),
                      d3(ratio=i3, c=58, d=0.04, Rv0=0.7, Rv1=0.2/130)
  submodel (R3drive2) d4(ratio=i4, Rv0=21.8, Rv1=9.8, peak=26.7/21.8),
                      d5(ratio=i5, Rv0=30.1, Rv1=0.03, peak=39.6/30.1),
                      d6(ratio=i6, Rv0=10.9, Rv1=3.92, peak=16.8/10.9)
  submodel (R3mbs) arm(q10=-60*deg, q20=20*deg, q30=90*deg, q50=-110*deg)
  connect m1:shaft to d1 to arm:j1, m2:shaft to d2 to arm:j2, m3:shaft to d3 to arm:j3,
          m4:shaft to d4 to arm:j4, m5:shaft to d5 to arm:j5, m6:shaft to d6 to arm:j6
  [c1.q_ref, c2.q_ref, c3.q_ref, c4.q_ref, c5.q_ref, c6.q_ref] = way.q
  [c1.qd_ref, c2.qd_ref, c3.qd_ref, c4.qd_ref, c5.qd_ref, c6.qd_ref] = way.v
  [c1.q, c2.q, c3.q, c4.q, c5.q, c6.q] = [m1.rotor.q, m2.rotor.q, m3.rotor.q, m4.rotor.q,
                                          m5.rotor.q, m6.rotor.q]
  [c1.qd, c2.qd, c3.qd, c4.qd, c5.qd, c6.qd] = [m1.rotor.qd, m2.rotor.qd, m3.rotor.qd, m4.rotor.qd,
                                                m5.rotor.qd, m6.rotor.qd]
  [m1.i_ref, m2.i_ref, m3.i_ref, m4.i_ref, m5.i_ref, m6.i_ref] = [c1.i_ref, c2.i_ref, c3.i_ref,
      c4.i_ref, c5.i_ref, c6.i_ref]
end
