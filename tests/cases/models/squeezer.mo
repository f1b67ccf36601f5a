{ Andrews' squeezing mechanism: seven bodies in a plane, three loops, driven by a constant moment. Index 3.
  Schiehlen (ed.): Multibody Systems Handbook, 1990; Hairer, Wanner: Solving Ordinary Differential Equations II, VII.7. }

model Squeezer
  constant m1 = 0.04325, m2 = 0.00365, m3 = 0.02373, m4 = 0.00706, m5 = 0.0705, m6 = 0.00706,
           m7 = 0.05498
  constant I1 = 2.194e-6, I2 = 4.41e-7, I3 = 5.255e-6, I4 = 5.667e-7, I5 = 1.169e-5, I6 = 5.667e-7,
           I7 = 1.912e-5
  constant xa = -0.06934, ya = -0.00227, xb = -0.03635, yb = 0.03273, xc = 0.014, yc = 0.072
  constant d = 0.028, da = 0.0115, e = 0.02, ea = 0.01421, rr = 0.007, ra = 0.00092
  constant ss = 0.035, sa = 0.01874, sb = 0.01043, sc = 0.018, sd = 0.02, ta = 0.02308, tb = 0.00916
  constant u = 0.04, ua = 0.01228, ub = 0.00449, zf = 0.02, zt = 0.04, fa = 0.01421
  constant c0 = 4530, l0 = 0.07785 "spring"
  parameter mom = 0.033 "driving moment"

  local q1 (start=-0.0617138900142764496, state=prefer) "beta"
  local q2 (start=0) "theta"
  local q3 (start=0.455279819163070380) "gamma"
  local q4 (start=0.222668390165885885) "phi"
  local q5 (start=0.487364979543842550) "delta"
  local q6 (start=-0.222668390165885885) "omega"
  local q7 (start=1.23054744454982119) "epsilon"
  local v1 (start=0, state=prefer), v2, v3, v4, v5, v6, v7
  local z1, z2, z3, z4, z5, z6 "multipliers of the constraints"
  local A, B, xd, yd, length, force, fx, fy, dm4, dm6

  der(q1) = v1
  der(q2) = v2
  der(q3) = v3
  der(q4) = v4
  der(q5) = v5
  der(q6) = v6
  der(q7) = v7

  { the loops }
  rr*cos(q1) - d*cos(q1 + q2) - ss*sin(q3) = xb
  rr*sin(q1) - d*sin(q1 + q2) + ss*cos(q3) = yb
  rr*cos(q1) - d*cos(q1 + q2) - e*sin(q4 + q5) - zt*cos(q5) = xa
  rr*sin(q1) - d*sin(q1 + q2) + e*cos(q4 + q5) - zt*sin(q5) = ya
  rr*cos(q1) - d*cos(q1 + q2) - zf*cos(q6 + q7) - u*sin(q7) = xa
  rr*sin(q1) - d*sin(q1 + q2) - zf*sin(q6 + q7) + u*cos(q7) = ya

  { the spring }
  xd = sd*cos(q3) + sc*sin(q3) + xb
  yd = sd*sin(q3) - sc*cos(q3) + yb
  length = sqrt((xd - xc)^2 + (yd - yc)^2)
  force = -c0*(length - l0)/length
  fx = force*(xd - xc)
  fy = force*(yd - yc)

  { mass matrix times accelerations = applied forces - transposed Jacobian times multipliers }
  A = z1 + z3 + z5
  B = z2 + z4 + z6
  dm4 = m4*(e - ea)
  dm6 = m6*(zf - fa)
  (m1*ra^2 + m2*(rr^2 - 2*da*rr*cos(q2) + da^2) + I1 + I2)*der(v1) + (m2*(da^2 - da*rr*cos(q2)) + I2)*der(v2) =
      mom - m2*da*rr*v2*(v2 + 2*v1)*sin(q2) - A*(d*sin(q1 + q2) - rr*sin(q1)) - B*(rr*cos(q1) - d*cos(q1 + q2))
  (m2*(da^2 - da*rr*cos(q2)) + I2)*der(v1) + (m2*da^2 + I2)*der(v2) =
      m2*da*rr*v1^2*sin(q2) - A*d*sin(q1 + q2) + B*d*cos(q1 + q2)
  (m3*(sa^2 + sb^2) + I3)*der(v3) =
      fx*(sc*cos(q3) - sd*sin(q3)) + fy*(sd*cos(q3) + sc*sin(q3)) + z1*ss*cos(q3) + z2*ss*sin(q3)
  (dm4*(e - ea) + I4)*der(v4) + (dm4*(e - ea) + dm4*zt*sin(q4) + I4)*der(v5) =
      dm4*zt*v5^2*cos(q4) + z3*e*cos(q4 + q5) + z4*e*sin(q4 + q5)
  (dm4*(e - ea) + dm4*zt*sin(q4) + I4)*der(v4) +
      (m4*zt^2 + 2*dm4*zt*sin(q4) + dm4*(e - ea) + m5*(ta^2 + tb^2) + I4 + I5)*der(v5) =
      -dm4*zt*v4*(v4 + 2*v5)*cos(q4) + z3*(e*cos(q4 + q5) - zt*sin(q5)) + z4*(e*sin(q4 + q5) + zt*cos(q5))
  (dm6*(zf - fa) + I6)*der(v6) + (dm6*(zf - fa) - dm6*u*sin(q6) + I6)*der(v7) =
      -dm6*u*v7^2*cos(q6) - z5*zf*sin(q6 + q7) + z6*zf*cos(q6 + q7)
  (dm6*(zf - fa) - dm6*u*sin(q6) + I6)*der(v6) +
      (dm6*(zf - fa) - 2*dm6*u*sin(q6) + m6*u^2 + m7*(ua^2 + ub^2) + I6 + I7)*der(v7) =
      dm6*u*v6*(v6 + 2*v7)*cos(q6) - z5*(zf*sin(q6 + q7) - u*cos(q7)) + z6*(zf*cos(q6 + q7) + u*sin(q7))
end
