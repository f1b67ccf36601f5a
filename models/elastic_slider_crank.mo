{ A slider-crank with an elastic connecting rod, which the crank turns at 150 rad/s. B. Simeon: Modelling a flexible slider crank
  mechanism by a mixed system of DAEs and PDEs, Mathematical Modelling of Systems 2 (1996), and the Test Set for IVP Solvers (problem
  "Slider crank"), which has the matrices, the start and a reference solution at 0.1 s. The rod is a body with coordinates of its own: q1
  and q2 are amplitudes of sin(pi*x/l) and sin(2*pi*x/l) across the line from a to b, q3 and q4 displacements of its middle and its
  end along the line. It works with all multibody libraries. }

@mbs

model class (FlexibleBody) Rod "rod whose ends stay on a line"
  parameter n = 4
  parameter m (unit="kg") = 0.151104, l (unit="m") = 0.3,
            width (unit="m") = 8 mm "mass, length, width of the square section"
  parameter E (unit="Pa") = 200 GPa, J (unit="kg.m2") = 0.0045339259 "modulus of elasticity, inertia about a"
  parameter c1(4) = m*[0, 0, 2/3, 1/6], c2(4) = m*[2/pi, 0, 0, 0],
            c12(4) = m*l*[0, 0, 1/3, 1/6], c21(4) = m*l*[1/pi, -0.5/pi, 0, 0],
            M(4,4) = m*[0.5, 0, 0, 0; 0, 0.5, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2],
            B(4,4) = m*[0, 0, -16/pi^3, 8/pi^3 - 1/pi; 0, 0, 0, 0.5/pi; 16/pi^3, 0, 0, 0;
                        1/pi - 8/pi^3, -0.5/pi, 0, 0]
  parameter s (unit="1") = pi^4*(width/l)^2,
            K(4,4) = E*width^2/l*[s/24, 0, 0, 0; 0, s*2/3, 0, 0; 0, 0, 16/3, -8/3; 0, 0, -8/3, 7/3]
  local p(3), pd(3) "mass times the position of the center, and its derivative"
  submodel (JointState) state(4) "its shape at the start is given"
  T = identity(3)
  r = [l + q(4), 0, 0]
  p = [m*l/2 + c1'*q, c2'*q, 0]
  pd = [c1'*qd, c2'*qd, 0]
  Irr = [diagonal([0, 0, J + q'*(M*q) + 2*c12'*q]), skew(p); -skew(p), m*identity(3)]
  Irq = [zeros(2,4); c21' + q'*B; c1'; c2'; zeros(1,4)]
  Iqq = m*[0.5, 0, 0, 0; 0, 0.5, 0, 0; 0, 0, 8, 1; 0, 0, 1, 2]
  br = [0; 0; 2*omega(3)*(c12'*qd + q'*(M*qd)); cross(omega, cross(omega, p) + 2*pd)]
  bq = -omega(3)^2*(M*q + c12) - 2*omega(3)*(B*qd)
  default lambda = -K*q
  connect state(k) at coordinate(k) for k = 1..4
end

model SliderCrank
  parameter speed (unit="rad/s") = 150
  submodel (Inertial) world(g=0)
  submodel (Revolute) crank(n=[0, 0, 1], qd0=150), pin(n=[0, 0, 1], qd0=-224.995767)
  submodel (Motion) motion(q_ref=speed*time)
  submodel (Bar) arm(r=[0.15, 0, 0]), front(r=[0.45, 0, 0])
  submodel (Rod) rod(q0=[0, 0, 1.03339863e-5, 1.69327969e-5],
                     qd0=[0.444896105, 0.00463434311, -1.78591076e-6, -2.68938672e-6])
  submodel (Prismatic) slider(n=[1, 0, 0], q0=1.69327969e-5, qd0=-2.68938672e-6)
  submodel (PointMass) block(m=0.075552)
  submodel (PlanarCutRevolute) bolt(n=[0, 0, 1])
  terminal phi2 (unit="rad") "angle of the rod against the path of the slider"
  connect world to crank to arm to pin to rod, world to slider to front, block at slider:b,
          bolt at (front:b, rod:b), motion at crank:ext
  phi2 = crank.q + pin.q
end
