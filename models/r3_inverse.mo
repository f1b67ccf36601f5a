{ The multibody part of the Manutec r3 robot, as in r3mbs.mo but with the library mbs: both the inverse problem, which joint torques belong
  to a motion, and the direct one. The derivatives of the angles become inputs of the inverse problem. }

@mbs

model class R3mbs "Manutec r3: links, joints and load; the drives act at the cuts j(1) to j(6)"
  submodel (Inertial) i(ng3=-1, g=9.81)
  submodel (Revolute) r1(n3=1), r2(n1=1), r3(n1=1)
  submodel (Revolute) r4(n3=1), r5(n1=1), r6(n3=1)
  submodel (Bar) b3(r3=0.5), b5(r3=0.73), bL(r1=rL1, r2=rL2, r3=rL3)
  submodel (Body) m1(I33=1.16)
  submodel (Body) m2(m=56.5, r1=0.172, r3=0.205, I11=2.58, I22=2.73, I33=0.64, I31=-0.46)
  submodel (Body) m3(m=26.4, r1=0.064, r3=-0.034, I11=0.279, I22=0.413, I33=0.245, I31=-0.070)
  submodel (Body) m4(m=28.7, r3=0.32, I11=1.67, I22=1.67, I33=0.081)
  submodel (Body) m5(m=5.2, r3=0.023, I11=1.25, I22=1.53, I33=0.81)
  submodel (Body) load(m=mL)
  parameter mL (unit="kg") = 0 "mass of the load"
  parameter rL1 (unit="m") = 0, rL2 (unit="m") = 0,
            rL3 (unit="m") = 0 "position of the load in the frame of joint 6"
  cut j(6)
  connect i to r1 to r2 to b3 to r3 to r4 to b5 to r5 to r6 to bL,
          m1 at r1:b, j(1) at r1:ext,
          m2 at r2:b, j(2) at r2:ext,
          m3 at r3:b, j(3) at r3:ext,
          m4 at r4:b, j(4) at r4:ext,
          m5 at r5:b, j(5) at r5:ext,
          load at bL:b, j(6) at r6:ext
end

model R3direct "direct problem: joint torques in, joint accelerations out"
  submodel (R3mbs) robot(mL=15, rL1=0.1, rL2=0.1, rL3=0.25)
  input tau1 (unit="N.m"), tau2 (unit="N.m"), tau3 (unit="N.m")
  input tau4 (unit="N.m"), tau5 (unit="N.m"), tau6 (unit="N.m")
  cut d1 (q1, qd1, qdd1 / tau1), d2 (q2, qd2, qdd2 / tau2), d3 (q3, qd3, qdd3 / tau3)
  cut d4 (q4, qd4, qdd4 / tau4), d5 (q5, qd5, qdd5 / tau5), d6 (q6, qd6, qdd6 / tau6)
  connect d1 at robot:j(1), d2 at robot:j(2), d3 at robot:j(3),
          d4 at robot:j(4), d5 at robot:j(5), d6 at robot:j(6)
end

model R3inverse "inverse problem: joint angles in, joint torques out"
  submodel (R3mbs) robot(mL=15, rL1=0.1, rL2=0.1, rL3=0.25)
  submodel (Motion) s(6)
  input q1 (unit="rad"), q2 (unit="rad"), q3 (unit="rad")
  input q4 (unit="rad"), q5 (unit="rad"), q6 (unit="rad")
  output tau1 (unit="N.m"), tau2 (unit="N.m"), tau3 (unit="N.m")
  output tau4 (unit="N.m"), tau5 (unit="N.m"), tau6 (unit="N.m")
  s.q_ref = [q1, q2, q3, q4, q5, q6]
  [tau1, tau2, tau3, tau4, tau5, tau6] = s.f
  connect s(:) at robot:j(:)
end
