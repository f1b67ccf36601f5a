{ Accelerations of assemblies that close a loop and are solved in closed form: a part of mbs.mo and mbssim.mo. }

@mbs

model class (MbsRodPair) RodPair
    "rod 1 from a to m, and the element that holds m on the side of b; a subclass gives m, the relative motion and the forces"
  local al1 (unit="rad/s2") "angular acceleration of rod 1 against a, about n"
  local al(3)(unit="rad/s2") "that of rod 1, absolute, in frame a, without al1"
  local A(3)(unit="m/s2") "relative acceleration at m if the rods did not move relative to a and b, in frame a"
  local Ab(3)(unit="m/s2") "acceleration of m as seen from b, without that against b, in frame b"
  al = aa(1..3) + cross(va(1..3), n)*w1
  A = T'*Ab - aa(4..6) - cross(al, pm) - cross(w, cross(w, pm))
  ai = [T1*(al + n*al1); T1*aa(4..6)]
end

model class (RodPair, MbsRRR) JointRRR
    "three revolute joints: rod 1 from a to m, rod 2 from b to m"
  local al2 (unit="rad/s2") "angular acceleration of rod 2 against b, about n"
  local s2(3)(unit="rad/s2") "that of rod 2, absolute, in frame b, without al2"
  s2 = ab(1..3) + cross(vb(1..3), n)*w2
  Ab = ab(4..6) + cross(s2, k) + cross(u2, cross(u2, k))
  al1 = A'*g/det
  al2 = A'*h/det
  aj = [T2*(s2 + n*al2); T2*ab(4..6)]
  am = [aj(1..3); T2*(Ab + cross(n*al2, k))]
end

model class (RodPair, MbsRRP) JointRRP
    "rod 1 from a, a revolute joint at m, and a slider that holds m along b"
  Ab = ab(4..6) + cross(ab(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  sdd = -A'*h/pe
  al1 = A'*cross(n, e)/pe
  aj = [ab(1..3);
        ab(4..6) + cross(ab(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        sdd*nb]
  am = [ab(1..3); Ab + sdd*nb]
end

model class (MbsRPR) JointRPR
    "hydraulic cylinder and the like: revolute joint at a, a slider, revolute joint at b"
  local al1 (unit="rad/s2") "angular acceleration of the cylinder against a, about n"
  local al(3)(unit="rad/s2") "that of the cylinder, absolute, in frame a"
  local A(3)(unit="m/s2") "acceleration of b against frame a"
  A = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  sdd = u'*A + w1^2*l
  al1 = (v'*A - 2*w1*sd)/l
  al = aa(1..3) + cross(va(1..3), n)*w1 + n*al1
  ai = [T1*al; T1*aa(4..6)]
  aj = [T1*al; T1*T'*ab(4..6)]
end

model class (MbsRodFromUniversal) UniversalRod
    "rod from a universal joint at a to a spherical joint; a subclass gives the end of the rod, its motion and the forces"
  local A(3)(unit="m/s2") "acceleration of the end of the rod against frame a, in frame a"
  local al1 (unit="rad/s2"), al2 (unit="rad/s2") "angular accelerations about the first and the second axis"
  local al(3)(unit="rad/s2") "that of the rod, absolute, in frame a"
  al1 = ((v'*A - 2*ld*sine*w1)/l - 2*cosine*w1*w2)/sine
  al2 = -(z'*A + 2*ld*w2)/l + sine*cosine*w1^2
  al = aa(1..3) + cross(va(1..3), n*w1 + v*w2) + n*al1 + v*al2 + w1*w2*cross(n, v)
  ai = [T1*al; T1*aa(4..6)]
end

model class (UniversalRod, MbsUPS) JointUPS
    "hydraulic cylinder in space: universal joint at a, a slider along the rod, spherical joint at b"
  A = T'*ab(4..6) - aa(4..6) - cross(aa(1..3), d) - cross(va(1..3), cross(va(1..3), d) + 2*V)
  sdd = u'*A + l*((sine*w1)^2 + w2^2)
  aj = [T1*al; T1*T'*ab(4..6)]
end

model class (UniversalRod, MbsUSR) JointUSR
    "rod from a universal joint at a to a spherical joint at m, and a rod from a revolute joint at b to m"
  local A0(3)(unit="m/s2") "acceleration of m if the rod from b did not move against b, in frame a"
  local al3 (unit="rad/s2") "angular acceleration of the rod from b against b"
  local s2(3)(unit="rad/s2") "that of the rod from b, absolute, in frame b, without al3"
  local Ab(3)(unit="m/s2") "acceleration of m in frame b, without al3"
  s2 = ab(1..3) + cross(vb(1..3), nb)*w3
  Ab = ab(4..6) + cross(s2, k) + cross(u2, cross(u2, k))
  A0 = T'*Ab - aa(4..6) - cross(aa(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*V)
  al3 = -(x'*A0 + V'*V)/det
  A = A0 + al3*t
  aj = [T2*(s2 + nb*al3); T2*ab(4..6)]
  am = [aj(1..3); T2*(Ab + cross(nb*al3, k))]
end

model class (MbsSSP) JointSSP
    "rod with spherical joints at a and at m, and a slider that holds m along b"
  local A(3)(unit="m/s2") "acceleration of m against frame a if the slider did not move"
  local Ab(3)(unit="m/s2") "acceleration of m in frame b, without that of the slider"
  Ab = ab(4..6) + cross(ab(1..3), k) + cross(vb(1..3), cross(vb(1..3), k) + 2*sd*nb)
  A = T'*Ab - aa(4..6) - cross(aa(1..3), x) - cross(va(1..3), cross(va(1..3), x) + 2*W)
  sdd = -(A'*x + W'*W)/xe
  aj = [ab(1..3);
        ab(4..6) + cross(ab(1..3), s*nb) + cross(vb(1..3), cross(vb(1..3), s*nb) + 2*sd*nb) +
        sdd*nb]
  am = [ab(1..3); Ab + sdd*nb]
end
