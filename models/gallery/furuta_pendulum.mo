{ A Furuta pendulum: a motor turns an arm about the vertical, and the pendulum hangs at its end. The controller feeds it
  energy (Astrom and Furuta, 2000), and balances it by state feedback once it is close to upright. }

@mbssim

model FurutaPendulum "swings up and is balanced"
  parameter K(4) = [-0.05774, -0.07360, 3.43478, 0.46858]
            "gain near upright, for the angle of the arm, its rate, the angle from upright, its rate"
  parameter swing (unit="s") = 5,
            limit (unit="N.m") = 0.5 "gain of the swing-up, limit of the torque"
  parameter near (unit="rad") = 0.3 "balanced below this angle"
  parameter arm_length (unit="m") = 0.2, m (unit="kg") = 0.1,
            l (unit="m") = 0.15 "of the arm; of the pendulum, to its center"
  parameter Jp (unit="kg.m2") = 0.00075 "about that center"
  parameter hold (unit="N.m/rad") = 0.2,
            damp (unit="N.m.s/rad") = 0.04 "keep the arm near zero during the swing-up"
  constant g (unit="m/s2") = 9.81
  input push (unit="N.m") "torque from outside"
  submodel (Inertial) world(ng3=-1)
  submodel (Revolute) shaft(n3=1), hinge(n1=1, q0=2.9)
  submodel (Bar) arm(r1=arm_length)
  submodel (Body) rotor(m=0.2, r1=arm_length/2, I33=0.02), rod(m=m, r3=l, I11=Jp, I22=Jp)
  submodel (JointForce) motor
  submodel (FixedShape) stick(length=2*l, width=15 mm, n3=1)
  local tau (unit="N.m"), up (unit="rad") "torque; angle from upright, within pi"
  local E (unit="J") "energy of the pendulum about the hinge, zero at rest upright"
  connect world to shaft to arm to hinge, rotor at shaft:b, rod at hinge:b, stick at hinge:b,
          motor at shaft:ext
  up = atan2(sin(hinge.q), cos(hinge.q))
  E = (Jp + m*l^2)/2*hinge.qd^2 + m*g*l*(cos(hinge.q) - 1)
  tau = if abs(up) < near then -K'*[shaft.q, shaft.qd, up, hinge.qd]
        else -swing*E*hinge.qd*cos(hinge.q) - hold*shaft.q - damp*shaft.qd
  motor.f = max(-limit, min(limit, tau)) + push
  experiment (stop=8, points=401, rtol=1e-9, atol=1e-9)
end
