{ Assemblies of joints that close a loop in space and are solved in closed form: a part of mbssim.mo.

  U, S, R and P are a universal, spherical, revolute and prismatic joint, in the order from cut a to cut b. The rest of the mechanism
  determines the motion of these cuts. Position, velocity and acceleration of the rods between them follow without iteration, and no
  equation is differentiated. The rods are massless: connect bodies to the cuts ia, ib and im, which move with them. At the cuts a
  and b the assembly is a force element: I = 0 in (14), and b is the force, which depends on accelerations and so is part of a
  linear system. }

@mbssim

model class UniversalRod
    "rod from a universal joint at a to a spherical joint; a subclass gives the end of the rod, its motion and the forces"
  parameter na1 (unit="1") = 0 "first axis of the universal joint, fixed in a, 1"
  parameter na2 (unit="1") = 0 "first axis, 2"
  parameter na3 (unit="1") = 0 "first axis, 3"
  parameter r11 (unit="m") = 0 "rod from a to the other end in the home position, 1"
  parameter r12 (unit="m") = 0 "rod, 2"
  parameter r13 (unit="m") = 0 "rod, 3"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the universal joint is",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of the rod, its origin that of a"
  main cut c [a, b]
  main path p <a - b>
  local n(3)(unit="1"), u0(3)(unit="1"),
        v0(3)(unit="1") "axes in the home position: first one, along the rod, second one"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to the rod"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  local x(3)(unit="m"), V(3)(unit="m/s"),
        A(3)(unit="m/s2") "end of the rod against frame a, in frame a"
  local l (unit="m"), ld (unit="m/s") "length of the rod and its derivative"
  local u(3)(unit="1"), v(3)(unit="1"),
        z(3)(unit="1") "along the rod, second axis, perpendicular to both; in frame a"
  local cosine (unit="1"), sine (unit="1") "of the angle between the first axis and the rod"
  local w1 (unit="rad/s"), w2 (unit="rad/s"), al1 (unit="rad/s2"),
        al2 (unit="rad/s2") "motion about the first and the second axis"
  local w(3)(unit="rad/s"), al(3)(unit="rad/s2") "motion of the rod, absolute, in frame a"
  local tau(3)(unit="N.m"), axial (unit="N"),
        Q(3)(unit="N") "torque on the rod; forces on its end, in frame a"
  local fi(6) "cut force of the elements connected to ia, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
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
  al1 = ((v'*A - 2*ld*sine*w1)/l - 2*cosine*w1*w2)/sine
  al2 = -(z'*A + 2*ld*w2)/l + sine*cosine*w1^2
  w = va(1..3) + n*w1 + v*w2
  al = aa(1..3) + cross(va(1..3), n*w1 + v*w2) + n*al1 + v*al2 + w1*w2*cross(n, v)
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  ai = [T1*al; T1*aa(4..6)]
  { No torque about the two axes at a. }
  Q = axial*u - n'*tau/(l*sine)*v + v'*tau/l*z
  fa = -[tau + cross(x, Q); T1'*fi(4..6) + Q]
end

model class (UniversalRod) JointUPS
    "hydraulic cylinder in space: universal joint at a, a slider along the rod, spherical joint at b"
  parameter s0 (unit="m") = 0 "distance of a and b where the displacement of the slider is zero"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod in the cylinder, its origin that of b"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  local fj(6) "cut force of the elements connected to ib, with the opposite sign"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  fj = Ij*aj + bj
  { (8) }
  lambda = applied - J*sdd + hold
  driven = moves
  L*(sdd - p) + (1 - L)*hold = 0
  x = d
  V = T'*vb(4..6) - va(4..6) - cross(va(1..3), d)
  A = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  s = l - s0
  sd = u'*V
  ld = sd
  sdd = u'*A + l*((sine*w1)^2 + w2^2)
  vj = [T1*w; T1*T'*vb(4..6)]
  aj = [T1*al; T1*T'*ab(4..6)]
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
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am / Im, bm) "the same, at m"
  local fj(6), fm(6) "cut forces of the elements connected to ib and im, with the opposite sign"
  local nb(3)(unit="1"), r2(3)(unit="m") "revolute axis, rod from b in the home position"
  local plane(3,3)(unit="1") "projection to the plane of this rod"
  local T2(3,3)(unit="1") "direction cosines from frame b to the rod from b"
  local e(3)(unit="m"), D (unit="m2"),
        y (unit="1") "from a to b in the plane, its square, and the place of m along it"
  local k(3)(unit="m"),
        t(3)(unit="m") "from b to m in frame b; its derivative by the angle, in frame a"
  local det (unit="m2")
  local V0(3)(unit="m/s"), A0(3)(unit="m/s2") "motion of m if the rod from b did not move against b"
  local w3 (unit="rad/s"), al3 (unit="rad/s2") "motion of the rod from b against b"
  local u2(3)(unit="rad/s"),
        s2(3)(unit="rad/s2") "motion of that rod, absolute, in frame b, without al3"
  local Ab(3)(unit="m/s2") "acceleration of m in frame b, without al3"
  local tau2(3)(unit="N.m"), G0(3)(unit="N"),
        G(3)(unit="N") "torque and force of elements on the rod from b, and all forces on it at m, in frame b"
  fj = Ij*aj + bj
  fm = Im*am + bm
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
  s2 = ab(1..3) + cross(vb(1..3), nb)*w3
  Ab = ab(4..6) + cross(s2, k) + cross(u2, cross(u2, k))
  A0 = T'*Ab - aa(4..6) - cross(aa(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*V)
  al3 = -(x'*A0 + V'*V)/det
  A = A0 + al3*t
  Tj = Tb*T2'
  rm = ra + Ta*x
  vj = [T2*u2; T2*vb(4..6)]
  vm = [T2*u2; T2*(vb(4..6) + cross(u2, k))]
  aj = [T2*(s2 + nb*al3); T2*ab(4..6)]
  am = [aj(1..3); T2*(Ab + cross(nb*al3, k))]
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
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the rod begins",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am / Im, bm) "the same, at m"
  main cut c [a, b]
  main path p <a - b>
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  local fj(6), fm(6) "cut forces of the elements connected to ib and im, with the opposite sign"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  local nb(3)(unit="1"), e(3)(unit="1"),
        T(3,3)(unit="1") "path of the slider in b and in a; from frame a to frame b"
  local q(3)(unit="m"), qe (unit="m") "from a to m where the slider is at b, and along the path"
  local x(3)(unit="m"), xe (unit="m") "from a to m, in frame a, and along the path"
  local k(3)(unit="m") "from the origin of b to m, in frame b"
  local V(3)(unit="m/s"), W(3)(unit="m/s"),
        A(3)(unit="m/s2") "motion of m against frame a: V and A if the slider did not move, W as it moves"
  local Ab(3)(unit="m/s2") "acceleration of m in frame b, without that of the slider"
  local Q(3)(unit="N"), G(3)(unit="N") "force on the rod at m in frame a, on the slider in frame b"
  { (14) }
  Ia = 0
  Ib = 0
  fj = Ij*aj + bj
  fm = Im*am + bm
  { (8) }
  lambda = applied - J*sdd + hold
  driven = moves
  L*(sdd - p) + (1 - L)*hold = 0
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
  Ab = ab(4..6) + cross(ab(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  A = T'*Ab - aa(4..6) - cross(aa(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*W)
  sdd = -(A'*x + W'*W)/xe
  aj = [ab(1..3);
        ab(4..6) + cross(ab(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        sdd*nb]
  am = [ab(1..3); Ab + sdd*nb]
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
