{ The robot as Figure 1 of the paper has it: M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented Modeling Language
  Dymola. Controllers and arm are the paper's; motors and drives are those of r3.mo, which has their data from later editions of the same robot.

  What no source gives is chosen as in r3.mo, so that the two can be compared: the motion that is wanted (the figure has inputs rq1, rqd1 and so on there), and the load,
  15 kg at the same place in the hand. The robot begins at rest; its currents are those that hold it. }

@motor
@drives
@sources
@paper_control
@paper_arm

model class (R3motor) PaperMotor "with the cuts that Figure 3 shows"
  cut control (q, qd, Vd)
  main cut mc [control, shaft]
  main path mp <control - shaft>
  q = rotor.q
  qd = rotor.qd
  V_per_A*i_ref = Vd
end

model PaperR3 "from one position to another"
  constant i1 = -105, i2 = 210, i3 = 60, i4 = -99, i5 = 79.2, i6 = -99 "ratios of the gears"
  submodel (KinematicPTP2) way(n=6, q0=[-60, 20, 90, 0, -110, 0] deg,
                               q1=[60, -70, -35, 45, 110, 45] deg,
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1],
                               a_max=[15, 15, 15, 60, 60, 60])
  submodel (R3control) c1, c2, c3, c4, c5, c6
  submodel (PaperMotor) m1(k=1.1616, J=0.0013, w=4590, D=0.6),
                        m2(k=1.1616, J=0.0013, w=5500, D=0.6),
                        m3(k=1.1616, J=0.0013, w=5500, D=0.6),
                        m4(k=0.2365, J=1.6e-4, w=6250, D=0.55),
                        m5(k=0.2608, J=1.8e-4, w=6250, D=0.55),
                        m6(k=0.0842, J=4.3e-5, w=7400, D=0.27)
  submodel (R3drive1) d1(ratio=i1, c=43, d=0.005, Rv0=0.4, Rv1=0.13/160),
                      d2(ratio=i2, c=8, d=0.01, Rv0=0.5, Rv1=0.1/130),
                      d3(ratio=i3, c=58, d=0.04, Rv0=0.7, Rv1=0.2/130)
  submodel (R3drive2) d4(ratio=i4, Rv0=21.8, Rv1=9.8, peak=26.7/21.8),
                      d5(ratio=i5, Rv0=30.1, Rv1=0.03, peak=39.6/30.1),
                      d6(ratio=i6, Rv0=10.9, Rv1=3.92, peak=16.8/10.9)
  submodel (R3mbs) robot(mL=15, rL1=0.1, rL2=0.1, rL3=0.25, q10=-60 deg, q20=20 deg, q30=90 deg,
                         q50=-110 deg)
  connect c1 to m1 to d1 to robot:j1, c2 to m2 to d2 to robot:j2, c3 to m3 to d3 to robot:j3,
          c4 to m4 to d4 to robot:j4, c5 to m5 to d5 to robot:j5, c6 to m6 to d6 to robot:j6
  [c1.rq, c2.rq, c3.rq] = [i1*way.q(1), i2*way.q(2), i3*way.q(3)]
  [c4.rq, c5.rq, c6.rq] = [i4*way.q(4), i5*way.q(5), i6*way.q(6)]
  [c1.rqd, c2.rqd, c3.rqd] = [i1*way.v(1), i2*way.v(2), i3*way.v(3)]
  [c4.rqd, c5.rqd, c6.rqd] = [i4*way.v(4), i5*way.v(5), i6*way.v(6)]
end
