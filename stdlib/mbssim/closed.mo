{ Assemblies of joints that close a planar loop and are solved in closed form: a part of mbssim.mo.

  The rest of the mechanism determines the motion of the cuts a and b; all axes have the direction n in both of their frames.
  Position, velocity and acceleration of the rods between them follow from those of a and b without iteration, and no equation is
  differentiated. Positions in which the rods are collinear are singular. The rods are massless: connect bodies to the cuts ia, ib
  and im, which move with them. Forces perpendicular to the plane, and torques about axes in it, are transmitted by the
  joints at a and b: as in PlanarCutRevolute, rod 1 receives none of them from the joint in the middle. At the cuts a and b the
  assembly is a force element: I = 0 in (14), and b is the force, which depends on accelerations and so is part of a linear system. }

@mbssim

model class RodPair
    "rod 1 from a to m, and the element that holds m on the side of b; a subclass gives m, the relative motion and the forces"
  parameter n1 (unit="1") = 0 "axis of all revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="m") = 0 "rod 1, from a to m in the home position, 1"
  parameter r12 (unit="m") = 0 "rod 1, 2"
  parameter r13 (unit="m") = 0 "rod 1, 3"
  parameter r21 (unit="m") = 0 "from b to m in the home position, 1"
  parameter r22 (unit="m") = 0 "from b to m, 2"
  parameter r23 (unit="m") = 0 "from b to m, 3"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where rod 1 turns",
      b (Tb, rb, vb, ab / Ib, fb) "the other side"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of rod 1, its origin that of a"
  cut (Frame) im (Tm, rm, vm, am / Im, bm) "frame at m, fixed to the part on the side of b"
  main cut c [a, b]
  main path p <a - b>
  local n(3)(unit="1"), r1(3)(unit="m"), r2(3)(unit="m"),
        plane(3,3)(unit="1") "projection to the plane"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to rod 1"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  local h(3)(unit="m"), pm(3)(unit="m") "rod 1 in the plane; from the origin of a to m, in frame a"
  local k(3)(unit="m") "from the origin of b to m, in frame b"
  local w1 (unit="rad/s"),
        al1 (unit="rad/s2") "angular velocity and acceleration of rod 1 against a, about n"
  local w(3)(unit="rad/s"),
        al(3)(unit="rad/s2") "those of rod 1, absolute, in frame a, al without al1"
  local V(3)(unit="m/s"),
        A(3)(unit="m/s2") "relative motion at m if the rods did not move relative to a and b, in frame a"
  local Ab(3)(unit="m/s2") "acceleration of m as seen from b, without that against b, in frame b"
  local F(3)(unit="N") "force on rod 1 at m, in frame a, in the plane"
  local fi(6), fm(6) "cut forces of the elements connected to ia and im, with the opposite sign"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
  fm = Im*am + bm
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  plane = identity(3) - n*n'
  r1 = [r11, r12, r13]
  r2 = [r21, r22, r23]
  T = Tb'*Ta
  d = Ta'*(rb - ra)
  h = plane*pm
  { (6), with the angle given by its cosine and sine }
  T1 = n*n' + plane*(h'*r1)/(r1'*plane*r1) - skew(n)*(n'*cross(r1, h))/(r1'*plane*r1)
  w = va(1..3) + n*w1
  al = aa(1..3) + cross(va(1..3), n)*w1
  V = T'*(vb(4..6) + cross(vb(1..3), k)) - va(4..6) - cross(va(1..3), pm)
  A = T'*Ab - aa(4..6) - cross(al, pm) - cross(w, cross(w, pm))
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  ai = [T1*(al + n*al1); T1*aa(4..6)]
  rm = ra + Ta*pm
  fa = -[T1'*fi(1..3) + cross(pm, F); T1'*fi(4..6) + F]
end

model class (RodPair) JointRRR "three revolute joints: rod 1 from a to m, rod 2 from b to m"
  parameter side (unit="1") = sign([n1, n2, n3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the line from a to b m is: 1 or -1; as in the home position where the frames of a and b are parallel there"
  cut (Frame) ib (Tj, rb, vj, aj / Ij, bj) "frame of rod 2, its origin that of b"
  local fj(6) "cut force there"
  local T2(3,3)(unit="1") "direction cosines from frame b to rod 2"
  local e(3)(unit="m"), D (unit="m2"),
        x (unit="1") "the triangle of the rods and the line between a and b"
  local g(3)(unit="m"), det (unit="m2") "rod 2 in the plane, in frame a"
  local w2 (unit="rad/s"), al2 (unit="rad/s2") "motion of rod 2 against b"
  local u2(3)(unit="rad/s"), s2(3)(unit="rad/s2"),
        G(3)(unit="N") "rod 2 in frame b; force on it at m"
  fj = Ij*aj + bj
  e = plane*d
  D = e'*e
  x = (r1'*plane*r1 - r2'*plane*r2 + D)/(2*D)
  pm = n*(n'*r1) + x*e + side*sqrt(r1'*plane*r1/D - x^2)*cross(n, e)
  g = h - e
  k = n*(n'*r2) + T*g
  T2 = n*n' + plane*(k'*plane*r2)/(r2'*plane*r2) - skew(n)*(n'*cross(r2, k))/(r2'*plane*r2)
  det = n'*cross(h, g)
  w1 = V'*g/det
  w2 = V'*h/det
  u2 = vb(1..3) + n*w2
  s2 = ab(1..3) + cross(vb(1..3), n)*w2
  Ab = ab(4..6) + cross(s2, k) + cross(u2, cross(u2, k))
  al1 = A'*g/det
  al2 = A'*h/det
  Tj = Tb*T2'
  vj = [T2*u2; T2*vb(4..6)]
  aj = [T2*(s2 + n*al2); T2*ab(4..6)]
  Tm = Tj
  vm = [vj(1..3); T2*(vb(4..6) + cross(u2, k))]
  am = [aj(1..3); T2*(Ab + cross(n*al2, k))]
  { No torque about n at a, b and m. }
  F = -(n'*fi(1..3)*g + (n'*(fj(1..3) + fm(1..3)) + n'*cross(k, T2'*fm(4..6)))*h)/det
  G = T2'*fm(4..6) - T*F
  fb = -[T2'*(fj(1..3) + fm(1..3)) + cross(k, G); T2'*fj(4..6) + G]
end

model class (RodPair) JointRRP "rod 1 from a, a revolute joint at m, and a slider that holds m along b"
  parameter nb1 (unit="1") = 0 "direction in which the slider moves, fixed in b, perpendicular to n, 1"
  parameter nb2 (unit="1") = 0 "direction, 2"
  parameter nb3 (unit="1") = 0 "direction, 3"
  parameter side (unit="1") = sign([r11, r12, r13]'*[nb1, nb2, nb3])
            "1: m is ahead of the foot of the perpendicular from a to the path of the slider, -1: behind it"
  cut (Frame) ib (Tb, rj, vj, aj / Ij, bj) "frame of the slider, at b in the home position"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  local fj(6) "cut force of the elements connected to ib, with the opposite sign"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  local nb(3)(unit="1"), e(3)(unit="1"), q(3)(unit="m"), G(3)(unit="N")
  local qe (unit="m"),
        pe (unit="m") "along the path of the slider: from a to m where it is at b, and where it is"
  fj = Ij*aj + bj
  { (8) }
  lambda = applied - J*sdd + hold
  driven = moves
  L*(sdd - p) + (1 - L)*hold = 0
  assert norm([nb1, nb2, nb3]) > 0,
      "the slider has no direction: one of nb1, nb2, nb3 must not be zero"
  nb = [nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300)
  e = T'*nb
  q = plane*(d + T'*r2)
  qe = q'*e
  s = -qe + side*sqrt(qe^2 - q'*q + r1'*plane*r1)
  pm = n*(n'*r1) + q + s*e
  k = r2 + s*nb
  pe = h'*e
  sd = -V'*h/pe
  w1 = V'*cross(n, e)/pe
  Ab = ab(4..6) + cross(ab(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  sdd = -A'*h/pe
  al1 = A'*cross(n, e)/pe
  rj = rb + Tb*(s*nb)
  vj = [vb(1..3); vb(4..6) + cross(vb(1..3), s*nb) + sd*nb]
  aj = [ab(1..3);
        ab(4..6) + cross(ab(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        sdd*nb]
  Tm = Tb
  vm = [vb(1..3); vb(4..6) + cross(vb(1..3), k) + sd*nb]
  am = [ab(1..3); Ab + sdd*nb]
  { No torque about n at a and m, no force along the slider's direction except lambda. }
  F = ((nb'*(fj(4..6) + fm(4..6)) + lambda)*h - n'*fi(1..3)*cross(n, e))/pe
  G = fm(4..6) - T*F
  fb = -[fj(1..3) + fm(1..3) + cross(s*nb, fj(4..6)) + cross(k, G); fj(4..6) + G]
end

model class JointRPR "hydraulic cylinder and the like: revolute joint at a, a slider, revolute joint at b"
  parameter n1 (unit="1") = 0 "axis of both revolute joints, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = 0 "axis, 3"
  parameter r11 (unit="1") = 0 "direction from a to b in the home position, 1"
  parameter r12 (unit="1") = 0 "direction, 2"
  parameter r13 (unit="1") = 0 "direction, 3"
  parameter s0 (unit="m") = 0 "distance of the axes where the displacement of the slider is zero"
  cut (Frame) a (Ta, ra, va, aa / Ia, fa) "where the cylinder turns",
      b (Tb, rb, vb, ab / Ib, fb) "where the rod turns"
  cut (Frame) ia (Ti, ra, vi, ai / Ii, bi) "frame of the cylinder, its origin that of a"
  cut (Frame) ib (Ti, rb, vj, aj / Ij, bj) "frame of the rod, its origin that of b"
  cut (DriveCut) ext (s(unit="m"), sd(unit="m/s"), sdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N"), -J(unit="kg"), -L,
                      -p(unit="m/s2"), ., -moves)
      "displacement of the slider and force along it"
  main cut c [a, b]
  main path p <a - b>
  local n(3)(unit="1"), r1(3)(unit="1"), plane(3,3)(unit="1") "projection to the plane"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to the cylinder"
  local d(3)(unit="m"),
        e(3)(unit="m") "from the origin of a to the origin of b, in frame a; in the plane"
  local l (unit="m"), u(3)(unit="1"), v(3)(unit="1") "distance; along the cylinder, and across"
  local w1 (unit="rad/s"),
        al1 (unit="rad/s2") "angular velocity and acceleration of the cylinder against a, about n"
  local w(3)(unit="rad/s"), al(3)(unit="rad/s2") "those of the cylinder, absolute, in frame a"
  local V(3)(unit="m/s"), A(3)(unit="m/s2") "motion of b against frame a"
  local F(3)(unit="N"), G(3)(unit="N") "force on the rod at b and at ib, in frame a"
  local tau(3)(unit="N.m") "torque at ia and ib, in frame a"
  local fi(6), fj(6) "cut forces of the elements connected to ia and ib, with the opposite sign"
  local lambda (unit="N") "force along the displacement, including that of rotors and of the locking element"
  { (14) }
  Ia = 0
  Ib = 0
  fi = Ii*ai + bi
  fj = Ij*aj + bj
  { (8) }
  lambda = applied - J*sdd + hold
  driven = moves
  L*(sdd - p) + (1 - L)*hold = 0
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  plane = identity(3) - n*n'
  assert norm(cross([n1, n2, n3], [r11, r12, r13])) > 0,
      "the cylinder has no direction across the axis: give r11, r12 or r13"
  r1 = plane*[r11, r12, r13]/max(norm(plane*[r11, r12, r13]), 1e-300)
  T = Tb'*Ta
  d = Ta'*(rb - ra)
  e = plane*d
  l = norm(e)
  u = e/l
  v = cross(n, u)
  s = l - s0
  { (6), with the angle given by its cosine and sine }
  T1 = n*n' + plane*(u'*r1) - skew(n)*(n'*cross(r1, u))
  V = T'*vb(4..6) - va(4..6) - cross(va(1..3), d)
  A = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  sd = u'*V
  w1 = v'*V/l
  sdd = u'*A + w1^2*l
  al1 = (v'*A - 2*w1*sd)/l
  w = va(1..3) + n*w1
  al = aa(1..3) + cross(va(1..3), n)*w1 + n*al1
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  ai = [T1*al; T1*aa(4..6)]
  vj = [T1*w; T1*T'*vb(4..6)]
  aj = [T1*al; T1*T'*ab(4..6)]
  { No torque about n at a and b, no force along the cylinder except lambda. }
  tau = T1'*(fi(1..3) + fj(1..3))
  G = T1'*fj(4..6)
  F = -(u'*G + lambda)*u - (v'*G + n'*tau/l)*v
  fb = [zeros(3); T*F]
  fa = -[tau + cross(d, F + G); T1'*fi(4..6) + F + G]
end
