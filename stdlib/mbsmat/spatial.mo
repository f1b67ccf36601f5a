{ Assemblies of joints that close a loop in space and are solved in closed form: a part of mbsmat.mo.

  U, S, R and P are a universal, spherical, revolute and prismatic joint, in the order from cut a to cut b. The rest of the mechanism
  determines the motion of these cuts: its coordinates are the independent ones, those of the assembly the dependent ones (P10), as
  in closed.mo. No equation is differentiated. The rods are massless: connect bodies to the cuts ia, ib and im, which move with them. }

@mbsmat

model class UniversalRod
    "rod from a universal joint at a to a spherical joint; a subclass gives the end of the rod, its motion and the forces"
  parameter na1 (unit="1") = 0 "first axis of the universal joint, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter r11 (unit="m") = 0 "rod from a to the other end in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, Ma, ha, wa) "where the universal joint is",
      b (Tb, rb, vb, ab, Bb, cb / fb, .) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai, Bi, ci, qdds, balance / fi, gi, Mi, hi, wi) "frame of the rod, its origin that of a"
  main cut c [a, b]
  main path p <a - b>
  constant (Integer) dofs = count("dof")
  terminal Bvu(3, dofs),
           b_vu(3)
           "angles of the universal joint, and the third coordinate: Bvu*qd is the velocity, Bvu*qdd + b_vu the acceleration"
  local n(3)(unit="1"), u0(3)(unit="1"),
        v0(3)(unit="1") "axes in the home position: first one, along the rod, second one"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to the rod"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  local x(3)(unit="m"), V(3)(unit="m/s"),
        cA(3)(unit="m/s2") "end of the rod against frame a, in frame a, cA for qdd = 0"
  local J(3, dofs) "V = J*qd"
  local l (unit="m"), ld (unit="m/s") "length of the rod and its derivative"
  local u(3)(unit="1"), v(3)(unit="1"),
        z(3)(unit="1") "along the rod, second axis, perpendicular to both; in frame a"
  local cosine (unit="1"), sine (unit="1") "of the angle between the first axis and the rod"
  local w1 (unit="rad/s"), w2 (unit="rad/s"), cal1 (unit="rad/s2"),
        cal2 (unit="rad/s2") "motion about the first and the second axis, cal1 and cal2 for qdd = 0"
  local w(3)(unit="rad/s"), cal(3)(unit="rad/s2") "motion of the rod, absolute, in frame a"
  local tau(3)(unit="N.m"), axial (unit="N"),
        Q(3)(unit="N") "torque on the rod; forces on its end, in frame a"
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm(cross([na1, na2, na3], [r11, r12, r13])) > 0,
      "the rod has no direction across the first axis: give r11, r12 or r13"
  n = [na1, na2, na3]/max(norm([na1, na2, na3]), 1e-300)
  u0 = [r11, r12, r13]/max(norm([r11, r12, r13]), 1e-300)
  v0 = cross(n, u0)/max(norm(cross(n, u0)), 1e-300)
  T = Tb'*Ta
  d = Ta'*(rb - ra)
  l = norm(x)
  u = x/l
  cosine = n'*u
  sine = norm(cross(n, u))
  v = cross(n, u)/sine
  z = cross(u, v)
  T1 = u0*u' + v0*v' + cross(u0, v0)*z'
  { V = ld*u + cross(n*w1 + v*w2, x), and its derivative }
  w1 = v'*V/(l*sine)
  w2 = -z'*V/l
  cal1 = ((v'*cA - 2*ld*sine*w1)/l - 2*cosine*w1*w2)/sine
  cal2 = -(z'*cA + 2*ld*w2)/l + sine*cosine*w1^2
  w = va(1..3) + n*w1 + v*w2
  cal = ca(1..3) + cross(va(1..3), n*w1 + v*w2) + n*cal1 + v*cal2 + w1*w2*cross(n, v)
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  for i = 1..dofs do
    Bvu(1, i) = J(:, i)'*v/(l*sine)
    Bvu(2, i) = -J(:, i)'*z/l
    Bi(:, i) = [T1*(Ba(1..3, i) + n*Bvu(1, i) + v*Bvu(2, i)); T1*Ba(4..6, i)]
  endfor
  b_vu(1..2) = [cal1, cal2]
  ci = [T1*cal; T1*ca(4..6)]
  ai = Bi*qdds + ci
  { No torque about the two axes at a. }
  Q = axial*u - n'*tau/(l*sine)*v + v'*tau/l*z
  fa = -[tau + cross(x, Q); T1'*fi(4..6) + Q]
end

model class (UniversalRod) JointUPS
    "hydraulic cylinder in space: universal joint at a, a slider along the rod, spherical joint at b"
  parameter s0 (unit="m") = 0 "distance of a and b where the displacement of the slider is zero"
  cut (Frame) ib (Ti, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the rod in the cylinder, its origin that of b"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2") / lambda(unit="N"))
      "displacement of the slider and force along it"
  local csd (unit="m/s2") "its acceleration for qdd = 0"
  x = d
  V = T'*vb(4..6) - va(4..6) - cross(va(1..3), d)
  cA = T'*cb(4..6) - ca(4..6) - cross(ca(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  J = T'*Bb(4..6,:) - Ba(4..6,:) + skew(d)*Ba(1..3,:)
  s = l - s0
  sd = u'*V
  ld = sd
  csd = u'*cA + l*((sine*w1)^2 + w2^2)
  for i = 1..dofs do
    Bvu(3, i) = J(:, i)'*u
    ga(i) + gi(i) + gj(i) = lambda*Bvu(3, i)
    Bj(:, i) = [Bi(1..3, i); T1*T'*Bb(4..6, i)]
  endfor
  b_vu(3) = csd
  sdd = qdds'*Bvu(3,:) + csd
  Ma + Mi + Mj = 0
  ha + hi + hj = 0
  wa + wi + wj = 0
  cj = [ci(1..3); T1*T'*cb(4..6)]
  aj = Bj*qdds + cj
  vj = [T1*w; T1*T'*vb(4..6)]
  { No force along the rod except lambda. }
  tau = T1'*(fi(1..3) + fj(1..3))
  axial = -lambda
  fb = [zeros(3); T*(Q - T1'*fj(4..6))]
end

model class (UniversalRod) JointUSR
    "rod from a universal joint at a to a spherical joint at m, and a rod from a revolute joint at b to m"
  parameter nb1 (unit="1") = 0 "axis of the revolute joint, fixed in b, 1"
  parameter nb2 (unit="1") = 0 "axis of the revolute joint, 2"
  parameter nb3 (unit="1") = 0 "axis of the revolute joint, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  parameter side (unit="1") = sign([nb1, nb2, nb3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the plane through a and the revolute axis m is: 1 or -1; as in the home position"
  cut (Frame) ib (Tj, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am, Bm, cm, qdds, balance / fm, gm, Mm, hm, wm) "the same, at m"
  local nb(3)(unit="1"), r2(3)(unit="m") "revolute axis, rod from b in the home position"
  local plane(3,3)(unit="1") "projection to the plane of this rod"
  local T2(3,3)(unit="1") "direction cosines from frame b to the rod from b"
  local e(3)(unit="m"), D (unit="m2"),
        y (unit="1") "from a to b in the plane, its square, and the place of m along it"
  local k(3)(unit="m"),
        t(3)(unit="m") "from b to m in frame b; its derivative by the angle, in frame a"
  local det (unit="m2")
  local V0(3)(unit="m/s"),
        cA0(3)(unit="m/s2") "motion of m if the rod from b did not move against b"
  local w3 (unit="rad/s"), cal3 (unit="rad/s2") "motion of the rod from b against b"
  local u2(3)(unit="rad/s"),
        cs2(3)(unit="rad/s2") "motion of that rod, absolute, in frame b, cs2 for qdd = 0 and without cal3"
  local cAb(3)(unit="m/s2") "acceleration of m in frame b, without cal3"
  local tau2(3)(unit="N.m"), G0(3)(unit="N"),
        G(3)(unit="N") "torque and force of elements on the rod from b, and all forces on it at m, in frame b"
  assert norm([nb1, nb2, nb3]) > 0,
      "the revolute axis has no direction: one of nb1, nb2, nb3 must not be zero"
  nb = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  r2 = [r21, r22, r23]
  plane = identity(3) - nb*nb'
  { The rod from a has its length where e'*(plane*k) = y*D. }
  e = plane*(T*d)
  D = e'*e
  y = (([r11, r12, r13]'*[r11, r12, r13] - r2'*r2 - d'*d)/2 - nb'*(T*d)*(nb'*r2))/D
  k = nb*(nb'*r2) + y*e + side*sqrt(r2'*plane*r2/D - y^2)*cross(nb, e)
  T2 = nb*nb' + plane*(k'*plane*r2)/(r2'*plane*r2) - skew(nb)*(nb'*cross(r2, k))/(r2'*plane*r2)
  x = d + T'*k
  ld = 0
  t = T'*cross(nb, k)
  det = x'*t
  V0 = T'*(vb(4..6) + cross(vb(1..3), k)) - va(4..6) - cross(va(1..3), x)
  w3 = -x'*V0/det
  V = V0 + w3*t
  u2 = vb(1..3) + nb*w3
  cs2 = cb(1..3) + cross(vb(1..3), nb)*w3
  cAb = cb(4..6) + cross(cs2, k) + cross(u2, cross(u2, k))
  cA0 = T'*cAb - ca(4..6) - cross(ca(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*V)
  cal3 = -(x'*cA0 + V'*V)/det
  cA = cA0 + cal3*t
  Tj = Tb*T2'
  rm = ra + Ta*x
  vj = [T2*u2; T2*vb(4..6)]
  vm = [T2*u2; T2*(vb(4..6) + cross(u2, k))]
  for i = 1..dofs do
    Bvu(3, i) = -x'*(T'*(Bb(4..6, i) - skew(k)*Bb(1..3, i)) - Ba(4..6, i) + skew(x)*Ba(1..3, i))/det
    J(:, i) = T'*(Bb(4..6, i) - skew(k)*Bb(1..3, i)) - Ba(4..6, i) + skew(x)*Ba(1..3, i) +
              t*Bvu(3, i)
    Bj(:, i) = [T2*(Bb(1..3, i) + nb*Bvu(3, i)); T2*Bb(4..6, i)]
    Bm(:, i) = [Bj(1..3, i); T2*(Bb(4..6, i) - skew(k)*(Bb(1..3, i) + nb*Bvu(3, i)))]
  endfor
  b_vu(3) = cal3
  ga + gi + gj + gm = 0
  Ma + Mi + Mj + Mm = 0
  ha + hi + hj + hm = 0
  wa + wi + wj + wm = 0
  cj = [T2*(cs2 + nb*cal3); T2*cb(4..6)]
  cm = [cj(1..3); T2*(cAb + cross(nb*cal3, k))]
  aj = Bj*qdds + cj
  am = Bm*qdds + cm
  { No torque about the revolute axis at b. }
  tau = T1'*fi(1..3)
  tau2 = T2'*(fj(1..3) + fm(1..3))
  G0 = T2'*fm(4..6)
  axial = (nb'*(tau2 + cross(k, G0)) + (n'*tau/(l*sine)*v - v'*tau/l*z)'*t)*l/det
  G = G0 - T*Q
  fb = -[tau2 + cross(k, G); T2'*fj(4..6) + G]
end

model class JointSSP "rod with spherical joints at a and at m, and a slider that holds m along b"
  parameter nb1 (unit="1") = 0 "direction in which the slider moves, fixed in b, 1"
  parameter nb2 (unit="1") = 0 "direction, 2"
  parameter nb3 (unit="1") = 0 "direction, 3"
  parameter r11 (unit="m") = 0 "rod from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  parameter side (unit="1") = sign([r11, r12, r13]'*[nb1, nb2, nb3])
            "1: m is ahead of the foot of the perpendicular from a to the path of the slider, -1: behind it"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, Ma, ha, wa) "where the rod begins",
      b (Tb, rb, vb, ab, Bb, cb / fb, .) "the other side"
  cut (Frame) ib (Tb, rj, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am, Bm, cm, qdds, balance / fm, gm, Mm, hm, wm) "the same, at m"
  main cut c [a, b]
  main path p <a - b>
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2") / lambda(unit="N"))
      "displacement of the slider and force along it"
  constant (Integer) dofs = count("dof")
  terminal Bvu(dofs),
           b_vu "motion of the slider: Bvu'*qd is the velocity, Bvu'*qdd + b_vu the acceleration"
  local nb(3)(unit="1"), e(3)(unit="1"),
        T(3,3)(unit="1") "path of the slider in b and in a; from frame a to frame b"
  local q(3)(unit="m"), qe (unit="m") "from a to m where the slider is at b, and along the path"
  local x(3)(unit="m"), xe (unit="m") "from a to m, in frame a, and along the path"
  local k(3)(unit="m") "from the origin of b to m, in frame b"
  local V(3)(unit="m/s"), W(3)(unit="m/s"),
        cA(3)(unit="m/s2") "motion of m against frame a: V and cA if the slider did not move, W as it moves"
  local cAb(3)(unit="m/s2") "acceleration of m in frame b, without that of the slider"
  local Q(3)(unit="N"), G(3)(unit="N") "force on the rod at m in frame a, on the slider in frame b"
  assert norm([nb1, nb2, nb3]) > 0,
      "the slider has no direction: one of nb1, nb2, nb3 must not be zero"
  nb = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  T = Tb'*Ta
  e = T'*nb
  q = Ta'*(rb - ra) + T'*[r21, r22, r23]
  qe = q'*e
  s = -qe + side*sqrt(qe^2 - q'*q + [r11, r12, r13]'*[r11, r12, r13])
  x = q + s*e
  xe = x'*e
  k = [r21, r22, r23] + s*nb
  V = T'*(vb(4..6) + cross(vb(1..3), k)) - va(4..6) - cross(va(1..3), x)
  sd = -V'*x/xe
  W = V + sd*e
  cAb = cb(4..6) + cross(cb(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  cA = T'*cAb - ca(4..6) - cross(ca(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*W)
  b_vu = -(cA'*x + W'*W)/xe
  for i = 1..dofs do
    Bvu(i) = -(T'*(Bb(4..6, i) - skew(k)*Bb(1..3, i)) - Ba(4..6, i) + skew(x)*Ba(1..3, i))'*x/xe
    ga(i) + gj(i) + gm(i) = lambda*Bvu(i)
    Bj(:, i) = [Bb(1..3, i); Bb(4..6, i) - skew(s*nb)*Bb(1..3, i) + nb*Bvu(i)]
    Bm(:, i) = [Bb(1..3, i); Bb(4..6, i) - skew(k)*Bb(1..3, i) + nb*Bvu(i)]
  endfor
  sdd = qdds'*Bvu + b_vu
  Ma + Mj + Mm = 0
  ha + hj + hm = 0
  wa + wj + wm = 0
  cj = [cb(1..3);
        cb(4..6) + cross(cb(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        b_vu*nb]
  cm = [cb(1..3); cAb + b_vu*nb]
  aj = Bj*qdds + cj
  am = Bm*qdds + cm
  rj = rb + Tb*(s*nb)
  rm = ra + Ta*x
  vj = [vb(1..3); vb(4..6) + cross(vb(1..3), s*nb) + sd*nb]
  vm = [vb(1..3); vb(4..6) + cross(vb(1..3), k) + sd*nb]
  { The rod is pulled or pushed; no force along the path of the slider except lambda. }
  Q = (nb'*(fj(4..6) + fm(4..6)) + lambda)/xe*x
  G = fm(4..6) - T*Q
  fa = -[zeros(3); Q]
  fb = -[fj(1..3) + fm(1..3) + cross(s*nb, fj(4..6)) + cross(k, G); fj(4..6) + G]
end
