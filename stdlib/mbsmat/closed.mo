{ Accelerations of assemblies that close a loop, in minimal coordinates: a part of mbsmat.mo.

  The coordinates q of the other joints are the independent ones, u in (P10); the angles of the rods, and the displacement of a
  slider, are the dependent ones, v. Position, velocity and acceleration follow without iteration, v = H(u), der(v) = Bvu*qd and
  der(v, 2) = Bvu*qdd + b' (P10), and the frames of the rods have their own B and c. So Mred is that of (P11). }

@mbsmat

model class (MbsRodPair) RodPair
    "rod 1 from a to m, and the element that holds m on the side of b; a subclass gives m, the relative motion and the forces"
  constant (Integer) dofs = count("dof")
  terminal Bvu(2, dofs),
           b_vu(2) "motion of the rods: Bvu*qd is the velocity, Bvu*qdd + b_vu the acceleration"
  local cal1 (unit="rad/s2") "derivative of w1 for qdd = 0"
  local cal(3)(unit="rad/s2") "derivative of w for qdd = 0, without cal1"
  local cA(3)(unit="m/s2"), J(3, dofs) "derivative of V for qdd = 0; V = J*qd"
  local cAb(3)(unit="m/s2") "acceleration of m as seen from b for qdd = 0, without that against b, in frame b"
  cal = ca(1..3) + cross(va(1..3), n)*w1
  cA = T'*cAb - ca(4..6) - cross(cal, pm) - cross(w, cross(w, pm))
  J = T'*(Bb(4..6,:) - skew(k)*Bb(1..3,:)) - Ba(4..6,:) + skew(pm)*Ba(1..3,:)
  for c = 1..dofs do
    Bi(:, c) = [T1*(Ba(1..3, c) + n*Bvu(1, c)); T1*Ba(4..6, c)]
  endfor
  ci = [T1*(cal + n*cal1); T1*ca(4..6)]
  Ma + Mi + Mj + Mm = 0
  ha + hi + hj + hm = 0
  wa + wi + wj + wm = 0
  aj = Bj*qdds + cj
  am = Bm*qdds + cm
end

model class (RodPair, MbsRRR) JointRRR
    "three revolute joints: rod 1 from a to m, rod 2 from b to m"
  local cal2 (unit="rad/s2") "derivative of w2 for qdd = 0"
  local cs2(3)(unit="rad/s2") "derivative of u2 for qdd = 0, without cal2"
  cs2 = cb(1..3) + cross(vb(1..3), n)*w2
  cAb = cb(4..6) + cross(cs2, k) + cross(u2, cross(u2, k))
  cal1 = cA'*g/det
  cal2 = cA'*h/det
  b_vu = [cal1, cal2]
  for i = 1..dofs do
    Bvu(1, i) = J(:, i)'*g/det
    Bvu(2, i) = J(:, i)'*h/det
  endfor
  ga + gi + gj + gm = 0
  for c = 1..dofs do
    Bj(:, c) = [T2*(Bb(1..3, c) + n*Bvu(2, c)); T2*Bb(4..6, c)]
  endfor
  cj = [T2*(cs2 + n*cal2); T2*cb(4..6)]
  for c = 1..dofs do
    Bm(:, c) = [Bj(1..3, c); T2*(Bb(4..6, c) - skew(k)*(Bb(1..3, c) + n*Bvu(2, c)))]
  endfor
  cm = [cj(1..3); T2*(cAb + cross(n*cal2, k))]
end

model class (RodPair, MbsRRP) JointRRP
    "rod 1 from a, a revolute joint at m, and a slider that holds m along b"
  local csd (unit="m/s2") "its acceleration for qdd = 0"
  for i = 1..dofs do
    Bvu(1, i) = J(:, i)'*cross(n, e)/pe
    Bvu(2, i) = -J(:, i)'*h/pe
    ga(i) + gi(i) + gj(i) + gm(i) = lambda*Bvu(2, i)
  endfor
  b_vu = [cal1, csd]
  cAb = cb(4..6) + cross(cb(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  csd = -cA'*h/pe
  sdd = qdds'*Bvu(2,:) + csd
  cal1 = cA'*cross(n, e)/pe
  for c = 1..dofs do
    Bj(:, c) = [Bb(1..3, c); Bb(4..6, c) - skew(s*nb)*Bb(1..3, c) + nb*Bvu(2, c)]
  endfor
  cj = [cb(1..3);
        cb(4..6) + cross(cb(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        csd*nb]
  for c = 1..dofs do
    Bm(:, c) = [Bb(1..3, c); Bb(4..6, c) - skew(k)*Bb(1..3, c) + nb*Bvu(2, c)]
  endfor
  cm = [cb(1..3); cAb + csd*nb]
end

model class (MbsRPR) JointRPR
    "hydraulic cylinder and the like: revolute joint at a, a slider, revolute joint at b"
  constant (Integer) dofs = count("dof")
  terminal Bvu(2, dofs),
           b_vu(2) "motion of the cylinder and its rod: Bvu*qd is the velocity, Bvu*qdd + b_vu the acceleration"
  local cal1 (unit="rad/s2") "derivative of w1 for qdd = 0"
  local cal(3)(unit="rad/s2") "derivative of w for qdd = 0"
  local cA(3)(unit="m/s2"), J(3, dofs) "derivative of V for qdd = 0; V = J*qd"
  local csd (unit="m/s2") "acceleration of the slider for qdd = 0"
  J = T'*Bb(4..6,:) - Ba(4..6,:) + skew(d)*Ba(1..3,:)
  cA = T'*cb(4..6) - ca(4..6) - cross(ca(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  csd = u'*cA + w1^2*l
  cal1 = (v'*cA - 2*w1*sd)/l
  for i = 1..dofs do
    Bvu(1, i) = J(:, i)'*v/l
    Bvu(2, i) = J(:, i)'*u
    ga(i) + gi(i) + gj(i) = lambda*Bvu(2, i)
  endfor
  b_vu = [cal1, csd]
  sdd = qdds'*Bvu(2,:) + csd
  Ma + Mi + Mj = 0
  ha + hi + hj = 0
  wa + wi + wj = 0
  cal = ca(1..3) + cross(va(1..3), n)*w1 + n*cal1
  for c = 1..dofs do
    Bi(:, c) = [T1*(Ba(1..3, c) + n*Bvu(1, c)); T1*Ba(4..6, c)]
  endfor
  ci = [T1*cal; T1*ca(4..6)]
  for c = 1..dofs do
    Bj(:, c) = [Bi(1..3, c); T1*T'*Bb(4..6, c)]
  endfor
  cj = [T1*cal; T1*T'*cb(4..6)]
  aj = Bj*qdds + cj
end

model class (MbsRodFromUniversal) UniversalRod
    "rod from a universal joint at a to a spherical joint; a subclass gives the end of the rod, its motion and the forces"
  constant (Integer) dofs = count("dof")
  terminal Bvu(3, dofs),
           b_vu(3)
           "angles of the universal joint, and the third coordinate: Bvu*qd is the velocity, Bvu*qdd + b_vu the acceleration"
  local cA(3)(unit="m/s2"), J(3, dofs) "derivative of V for qdd = 0; V = J*qd"
  local cal1 (unit="rad/s2"), cal2 (unit="rad/s2") "derivatives of w1 and w2 for qdd = 0"
  local cal(3)(unit="rad/s2") "derivative of w for qdd = 0"
  cal1 = ((v'*cA - 2*ld*sine*w1)/l - 2*cosine*w1*w2)/sine
  cal2 = -(z'*cA + 2*ld*w2)/l + sine*cosine*w1^2
  cal = ca(1..3) + cross(va(1..3), n*w1 + v*w2) + n*cal1 + v*cal2 + w1*w2*cross(n, v)
  for i = 1..dofs do
    Bvu(1, i) = J(:, i)'*v/(l*sine)
    Bvu(2, i) = -J(:, i)'*z/l
    Bi(:, i) = [T1*(Ba(1..3, i) + n*Bvu(1, i) + v*Bvu(2, i)); T1*Ba(4..6, i)]
  endfor
  b_vu(1..2) = [cal1, cal2]
  ci = [T1*cal; T1*ca(4..6)]
end

model class (UniversalRod, MbsUPS) JointUPS
    "hydraulic cylinder in space: universal joint at a, a slider along the rod, spherical joint at b"
  local csd (unit="m/s2") "its acceleration for qdd = 0"
  cA = T'*cb(4..6) - ca(4..6) - cross(ca(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  J = T'*Bb(4..6,:) - Ba(4..6,:) + skew(d)*Ba(1..3,:)
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
end

model class (UniversalRod, MbsUSR) JointUSR
    "rod from a universal joint at a to a spherical joint at m, and a rod from a revolute joint at b to m"
  local cA0(3)(unit="m/s2") "derivative of V0 for qdd = 0"
  local cal3 (unit="rad/s2") "derivative of w3 for qdd = 0"
  local cs2(3)(unit="rad/s2") "derivative of u2 for qdd = 0, without cal3"
  local cAb(3)(unit="m/s2") "acceleration of m in frame b, without cal3"
  cs2 = cb(1..3) + cross(vb(1..3), nb)*w3
  cAb = cb(4..6) + cross(cs2, k) + cross(u2, cross(u2, k))
  cA0 = T'*cAb - ca(4..6) - cross(ca(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*V)
  cal3 = -(x'*cA0 + V'*V)/det
  cA = cA0 + cal3*t
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
end

model class (MbsSSP) JointSSP
    "rod with spherical joints at a and at m, and a slider that holds m along b"
  constant (Integer) dofs = count("dof")
  terminal Bvu(dofs),
           b_vu "motion of the slider: Bvu'*qd is the velocity, Bvu'*qdd + b_vu the acceleration"
  local cA(3)(unit="m/s2") "acceleration of m against frame a for qdd = 0, if the slider did not move"
  local cAb(3)(unit="m/s2") "acceleration of m in frame b, without that of the slider"
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
end

{ --- cuts --- }

model class (MbsChain) MbsLoopCuts "cuts that an assembly connects"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, Ma, ha, wa)
      "where the first rod or the cylinder begins",
      b (Tb, rb, vb, ab, Bb, cb / fb, .) "the other side"
end

model class (MbsLoopCuts) MbsRodCuts "with the first rod or the cylinder"
  cut (Frame) ia (Ti, ra, vi, ai, Bi, ci, qdds, balance / fi, gi, Mi, hi, wi)
      "frame of the first rod or the cylinder, its origin that of a"
  ai = Bi*qdds + ci
end

model class (MbsRodCuts) MbsRodPairCuts "cuts of RodPair"
  cut (Frame) im (Tm, rm, vm, am, Bm, cm, qdds, balance / fm, gm, Mm, hm, wm)
      "frame at m, fixed to the part on the side of b"
end

model class (MbsRodPairCuts) MbsRRRCuts "cuts of JointRRR"
  cut (Frame) ib (Tj, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj) "frame of rod 2, its origin that of b"
end

model class (MbsRodPairCuts, MbsSliderCut) MbsRRPCuts "cuts of JointRRP"
  cut (Frame) ib (Tb, rj, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the slider, at b in the home position"
end

model class (MbsRodCuts, MbsSliderCut) MbsRPRCuts "cuts of JointRPR"
  cut (Frame) ib (Ti, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj) "frame of the rod, its origin that of b"
end

model class (MbsRodCuts, MbsSliderCut) MbsUPSCuts "cuts of JointUPS"
  cut (Frame) ib (Ti, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the rod in the cylinder, its origin that of b"
end

model class (MbsRodCuts) MbsUSRCuts "cuts of JointUSR"
  cut (Frame) ib (Tj, rb, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the rod from b, its origin that of b"
  cut (Frame) im (Tj, rm, vm, am, Bm, cm, qdds, balance / fm, gm, Mm, hm, wm) "the same, at m"
end

model class (MbsLoopCuts, MbsSliderCut) MbsSSPCuts "cuts of JointSSP"
  cut (Frame) ib (Tb, rj, vj, aj, Bj, cj, qdds, balance / fj, gj, Mj, hj, wj)
      "frame of the slider, at b in the home position"
  cut (Frame) im (Tb, rm, vm, am, Bm, cm, qdds, balance / fm, gm, Mm, hm, wm) "the same, at m"
end
