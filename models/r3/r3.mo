{ The robot Manutec r3 with its drives: six axes, each with a cascade controller, a motor whose current is controlled by three operational
  amplifiers, a gear with friction, and the arm. M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the
  Object-Oriented Modeling Language Dymola, figure 1; parameters and path as in RobotR3.FullRobot of the Modelica Standard Library 4.0. }

@control
@motor
@drives
@arm

model class Robot (class Arm = R3mbs) "six axes, which move from one position to another"
  parameter mL (unit="kg") = 15 "mass of the load"
  parameter rL1 (unit="m") = 0.1, rL2 (unit="m") = 0.25,
            rL3 (unit="m") = 0.1 "its center, in the frame of joint 6"
  parameter q_start(6)(unit="rad") = [-60, 20, 90, 0, -110, 0] deg "start position"
  parameter q_end(6)(unit="rad") = [60, -70, -35, 45, 110, 45] deg "end position"
  parameter v_max(6)(unit="rad/s") = [3, 1.5, 5, 3.1, 3.1, 4.1] "largest speed"
  parameter a_max(6)(unit="rad/s2") = [15, 15, 15, 60, 60, 60] "largest acceleration"
  parameter kp (unit="1/s") = 5 "gain of the position controllers of all axes"
  parameter ks (unit="A.s/rad") = 0.5,
            Ts (unit="s") = 0.05 "gain and integral time of the speed controller"
  parameter i1 (unit="1") = -105, i2 (unit="1") = 210, i3 (unit="1") = 60, i4 (unit="1") = -99,
            i5 (unit="1") = 79.2, i6 (unit="1") = -99 "ratios of the gears"
  submodel (KinematicPTP2) way(n=6, q0=q_start, q1=q_end, v_max=v_max, a_max=a_max)
  submodel (R3control) c1(ratio=i1, kp=kp, ks=ks, Ts=Ts), c2(ratio=i2, kp=kp, ks=ks, Ts=Ts),
                       c3(ratio=i3, kp=kp, ks=ks, Ts=Ts), c4(ratio=i4, kp=kp, ks=ks, Ts=Ts),
                       c5(ratio=i5, kp=kp, ks=ks, Ts=Ts), c6(ratio=i6, kp=kp, ks=ks, Ts=Ts)
  submodel (R3motor) m1(k=1.1616, J=0.0013, w=4590, D=0.6), m2(k=1.1616, J=0.0013, w=5500, D=0.6),
                     m3(k=1.1616, J=0.0013, w=5500, D=0.6), m4(k=0.2365, J=1.6e-4, w=6250, D=0.55),
                     m5(k=0.2608, J=1.8e-4, w=6250, D=0.55), m6(k=0.0842, J=4.3e-5, w=7400, D=0.27)
  submodel (R3drive1) d1(ratio=i1, c=43, d=0.005, Rv0=0.4, Rv1=0.13/160),
                      d2(ratio=i2, c=8, d=0.01, Rv0=0.5, Rv1=0.1/130),
                      d3(ratio=i3, c=58, d=0.04, Rv0=0.7, Rv1=0.2/130)
  submodel (R3drive2) d4(ratio=i4, Rv0=21.8, Rv1=9.8, peak=26.7/21.8),
                      d5(ratio=i5, Rv0=30.1, Rv1=0.03, peak=39.6/30.1),
                      d6(ratio=i6, Rv0=10.9, Rv1=3.92, peak=16.8/10.9)
  submodel (Arm) arm(mL=mL, rL1=rL1, rL2=rL2, rL3=rL3, q10=q_start(1), q20=q_start(2),
                     q30=q_start(3), q40=q_start(4), q50=q_start(5), q60=q_start(6))
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

model (Robot) R3 "with 15 kg in its hand"
  experiment (stop=1.86)
end
