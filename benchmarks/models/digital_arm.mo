{ An arm of six revolute joints, of the sizes of a UR5, under digital control: every millisecond a controller samples angles and
  rates, and computes the torques that it holds until the next sample. }

@mbssim

model class Controller "proportional and derivative, with the torques of the reference at rest"
  parameter T (unit="s") = 1e-3 "period"
  parameter kp(6) = [400, 400, 300, 60, 10, 1], kd(6) = [40, 40, 20, 4, 0.5, 0.02]
  parameter wanted(6)(unit="rad") = [0, -1.2, 1.4, -1.0, -1.57, 0.3]
  parameter rest(6)(unit="N.m") = [0, -31, -15, 0, 0, 0]
  input q(6), qd(6)
  output tau(6)(start=0)
  when sample(0, T) then
    for k = 1..6 do
      new(tau(k)) = rest(k) + kp(k)*(wanted(k) - q(k)) - kd(k)*qd(k)
    endfor
  endwhen
end

model DigitalArm
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) j1(n3=1), j2(n2=-1, q0=-1), j3(n2=-1, q0=1.2), j4(n2=-1, q0=-1),
                      j5(n3=-1, q0=-1.57), j6(n2=-1, q0=0.3)
  submodel (Bar) base(r3=0.089), upper(r1=-0.425), fore(r1=-0.392), wrist1(r2=-0.109),
                 wrist2(r3=-0.095)
  submodel (Body) m1(m=3.7, r3=0.064, I11=0.01, I22=0.01, I33=0.007),
                  m2(m=8.4, r1=-0.213, r2=-0.113, I11=0.015, I22=0.13, I33=0.13),
                  m3(m=2.33, r1=-0.242, r2=-0.027, I11=0.003, I22=0.032, I33=0.032),
                  m4(m=1.22, r2=-0.107, r3=-0.016, I11=0.002, I22=0.001, I33=0.002),
                  m5(m=1.22, r2=-0.016, r3=-0.093, I11=0.002, I22=0.001, I33=0.002),
                  m6(m=0.19, r2=-0.081, I11=1e-4, I22=1.3e-4, I33=1e-4)
  submodel (JointForce) d(6)
  submodel (Controller) c
  connect world to j1 to base to j2 to upper to j3 to fore to j4 to wrist1 to j5 to wrist2 to j6 to m6
  connect m1 at j1:b, m2 at j2:b, m3 at j3:b, m4 at j4:b, m5 at j5:b
  connect d(1) at j1:ext, d(2) at j2:ext, d(3) at j3:ext, d(4) at j4:ext, d(5) at j5:ext,
          d(6) at j6:ext
  c.q = [j1.q, j2.q, j3.q, j4.q, j5.q, j6.q]
  c.qd = [j1.qd, j2.qd, j3.qd, j4.qd, j5.qd, j6.qd]
  for k = 1..6 do
    d(k).f = c.tau(k)
  endfor
end
