{ Assemblies of joints that close a loop and are solved in closed form: positions, velocities and forces. A part of mbs.mo, mbssim.mo
  and mbsmat.mo, which add accelerations.

  The rest of the mechanism determines the motion of the cuts a and b. Position and motion of the rods between them follow from those
  of a and b without iteration, and no equation is differentiated. The rods are massless: connect bodies to the cuts ia, ib and im,
  which move with them.

  In planar loops all axes have the direction n in the frames of a and b. Positions in which the rods are collinear are singular.
  Forces perpendicular to the plane, and torques about axes in it, are transmitted by the joints at a and b: as in
  PlanarCutRevolute, rod 1 receives none of them from the joint in the middle. In space U, S, R and P are a universal, spherical,
  revolute and prismatic joint, in the order from cut a to cut b. }

@mbs

model class (MbsRodPairCuts, MbsRods) MbsRodPair "RodPair: position, velocity and forces"
  local w1 (unit="rad/s") "angular velocity of rod 1 against a, about n"
  local w(3)(unit="rad/s") "that of rod 1, absolute, in frame a"
  local V(3)(unit="m/s") "relative velocity at m if the rods did not move relative to a and b, in frame a"
  local n(3)(unit="1"), r1(3)(unit="m"), r2(3)(unit="m"),
        plane(3,3)(unit="1") "projection to the plane"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to rod 1"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  local h(3)(unit="m"), pm(3)(unit="m") "rod 1 in the plane; from the origin of a to m, in frame a"
  local k(3)(unit="m") "from the origin of b to m, in frame b"
  local F(3)(unit="N") "force on rod 1 at m, in frame a, in the plane"
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
  V = T'*(vb(4..6) + cross(vb(1..3), k)) - va(4..6) - cross(va(1..3), pm)
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  rm = ra + Ta*pm
  fa = -[T1'*fi(1..3) + cross(pm, F); T1'*fi(4..6) + F]
end

model class (MbsRRRCuts) MbsRRR "JointRRR: position, velocity and forces"
  parameter side (unit="1") = sign([n1, n2, n3]'*cross([r11, r12, r13], [r21, r22, r23]))
            "on which side of the line from a to b m is: 1 or -1; as in the home position where the frames of a and b are parallel there"
  local w2 (unit="rad/s") "angular velocity of rod 2 against b, about n"
  local u2(3)(unit="rad/s") "that of rod 2, absolute, in frame b"
  local G(3)(unit="N") "force on rod 2 at m, in frame b"
  local T2(3,3)(unit="1") "direction cosines from frame b to rod 2"
  local e(3)(unit="m"), D (unit="m2"),
        x (unit="1") "the triangle of the rods and the line between a and b"
  local g(3)(unit="m"), det (unit="m2") "rod 2 in the plane, in frame a"
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
  Tj = Tb*T2'
  vj = [T2*u2; T2*vb(4..6)]
  Tm = Tj
  vm = [vj(1..3); T2*(vb(4..6) + cross(u2, k))]
  { No torque about n at a, b and m. }
  F = -(n'*fi(1..3)*g + (n'*(fj(1..3) + fm(1..3)) + n'*cross(k, T2'*fm(4..6)))*h)/det
  G = T2'*fm(4..6) - T*F
  fb = -[T2'*(fj(1..3) + fm(1..3)) + cross(k, G); T2'*fj(4..6) + G]
end

model class (MbsRRPCuts, MbsRodSlider) MbsRRP "JointRRP: position, velocity and forces"
  local nb(3)(unit="1"), e(3)(unit="1"), q(3)(unit="m"), G(3)(unit="N")
  local qe (unit="m"),
        pe (unit="m") "along the path of the slider: from a to m where it is at b, and where it is"
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
  rj = rb + Tb*(s*nb)
  vj = [vb(1..3); vb(4..6) + cross(vb(1..3), s*nb) + sd*nb]
  Tm = Tb
  vm = [vb(1..3); vb(4..6) + cross(vb(1..3), k) + sd*nb]
  { No torque about n at a and m, no force along the slider's direction except lambda. }
  F = ((nb'*(fj(4..6) + fm(4..6)) + lambda)*h - n'*fi(1..3)*cross(n, e))/pe
  G = fm(4..6) - T*F
  fb = -[fj(1..3) + fm(1..3) + cross(s*nb, fj(4..6)) + cross(k, G); fj(4..6) + G]
end

model class (MbsRPRCuts, MbsCylinder) MbsRPR "JointRPR: position, velocity and forces"
  local w1 (unit="rad/s") "angular velocity of the cylinder against a, about n"
  local w(3)(unit="rad/s") "that of the cylinder, absolute, in frame a"
  local V(3)(unit="m/s") "velocity of b against frame a"
  local n(3)(unit="1"), r1(3)(unit="1"), plane(3,3)(unit="1") "projection to the plane"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to the cylinder"
  local d(3)(unit="m"),
        e(3)(unit="m") "from the origin of a to the origin of b, in frame a; in the plane"
  local l (unit="m"), u(3)(unit="1"), v(3)(unit="1") "distance; along the cylinder, and across"
  local F(3)(unit="N"), G(3)(unit="N") "force on the rod at b and at ib, in frame a"
  local tau(3)(unit="N.m") "torque at ia and ib, in frame a"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  plane = identity(3) - n*n'
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
  sd = u'*V
  w1 = v'*V/l
  w = va(1..3) + n*w1
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  vj = [T1*w; T1*T'*vb(4..6)]
  { No torque about n at a and b, no force along the cylinder except lambda. }
  tau = T1'*(fi(1..3) + fj(1..3))
  G = T1'*fj(4..6)
  F = -(u'*G + lambda)*u - (v'*G + n'*tau/l)*v
  fb = [zeros(3); T*F]
  fa = -[tau + cross(d, F + G); T1'*fi(4..6) + F + G]
end

model class (MbsRodCuts, MbsUniversalRod) MbsRodFromUniversal "UniversalRod: position, velocity and forces"
  local x(3)(unit="m"), V(3)(unit="m/s") "end of the rod and its velocity against frame a, in frame a"
  local w1 (unit="rad/s"), w2 (unit="rad/s") "angular velocities about the first and the second axis"
  local w(3)(unit="rad/s") "that of the rod, absolute, in frame a"
  local n(3)(unit="1"), u0(3)(unit="1"),
        v0(3)(unit="1") "axes in the home position: first one, along the rod, second one"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local T1(3,3)(unit="1") "direction cosines from frame a to the rod"
  local d(3)(unit="m") "from the origin of a to the origin of b, in frame a"
  local l (unit="m"), ld (unit="m/s") "length of the rod and its derivative"
  local u(3)(unit="1"), v(3)(unit="1"),
        z(3)(unit="1") "along the rod, second axis, perpendicular to both; in frame a"
  local cosine (unit="1"), sine (unit="1") "of the angle between the first axis and the rod"
  local tau(3)(unit="N.m"), axial (unit="N"),
        Q(3)(unit="N") "torque on the rod; forces on its end, in frame a"
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
  w = va(1..3) + n*w1 + v*w2
  Ti = Ta*T1'
  vi = [T1*w; T1*va(4..6)]
  { No torque about the two axes at a. }
  Q = axial*u - n'*tau/(l*sine)*v + v'*tau/l*z
  fa = -[tau + cross(x, Q); T1'*fi(4..6) + Q]
end

model class (MbsUPSCuts) MbsUPS "JointUPS: position, velocity and forces"
  parameter s0 (unit="m") = 0 "distance of a and b where the displacement of the slider is zero"
  x = d
  V = T'*vb(4..6) - va(4..6) - cross(va(1..3), d)
  s = l - s0
  sd = u'*V
  ld = sd
  vj = [T1*w; T1*T'*vb(4..6)]
  { No force along the rod except lambda. }
  tau = T1'*(fi(1..3) + fj(1..3))
  axial = -lambda
  fb = [zeros(3); T*(Q - T1'*fj(4..6))]
end

model class (MbsUSRCuts, MbsRodAtAxis) MbsUSR "JointUSR: position, velocity and forces"
  local V0(3)(unit="m/s") "velocity of m if the rod from b did not move against b, in frame a"
  local w3 (unit="rad/s") "angular velocity of the rod from b against b"
  local u2(3)(unit="rad/s") "that of the rod from b, absolute, in frame b"
  local nb(3)(unit="1"), r2(3)(unit="m") "revolute axis, rod from b in the home position"
  local plane(3,3)(unit="1") "projection to the plane of this rod"
  local T2(3,3)(unit="1") "direction cosines from frame b to the rod from b"
  local e(3)(unit="m"), D (unit="m2"),
        y (unit="1") "from a to b in the plane, its square, and the place of m along it"
  local k(3)(unit="m"),
        t(3)(unit="m") "from b to m in frame b; its derivative by the angle, in frame a"
  local det (unit="m2")
  local tau2(3)(unit="N.m"), G0(3)(unit="N"),
        G(3)(unit="N") "torque and force of elements on the rod from b, and all forces on it at m, in frame b"
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
  Tj = Tb*T2'
  rm = ra + Ta*x
  vj = [T2*u2; T2*vb(4..6)]
  vm = [T2*u2; T2*(vb(4..6) + cross(u2, k))]
  { No torque about the revolute axis at b. }
  tau = T1'*fi(1..3)
  tau2 = T2'*(fj(1..3) + fm(1..3))
  G0 = T2'*fm(4..6)
  axial = (nb'*(tau2 + cross(k, G0)) + (n'*tau/(l*sine)*v - v'*tau/l*z)'*t)*l/det
  G = G0 - T*Q
  fb = -[tau2 + cross(k, G); T2'*fj(4..6) + G]
end

model class (MbsSSPCuts, MbsRodOnSlider) MbsSSP "JointSSP: position, velocity and forces"
  local V(3)(unit="m/s"),
        W(3)(unit="m/s") "velocity of m against frame a: V if the slider did not move, W as it moves"
  local nb(3)(unit="1"), e(3)(unit="1"),
        T(3,3)(unit="1") "path of the slider in b and in a; from frame a to frame b"
  local q(3)(unit="m"), qe (unit="m") "from a to m where the slider is at b, and along the path"
  local x(3)(unit="m"), xe (unit="m") "from a to m, in frame a, and along the path"
  local k(3)(unit="m") "from the origin of b to m, in frame b"
  local Q(3)(unit="N"), G(3)(unit="N") "force on the rod at m in frame a, on the slider in frame b"
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
