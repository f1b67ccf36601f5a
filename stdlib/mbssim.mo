{ Multibody systems, direct problem: given the forces, what are the accelerations?

  M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented
  Modeling Language Dymola, section 6; numbers in brackets are equations of that paper.

  A cut-frame is parallel to the inertial frame in the home position (all joint coordinates zero).
  Its cut carries across: T, the direction cosines that turn a vector of the frame into the inertial
  frame; r, the position of its origin, resolved in the inertial frame; v = [angular; linear velocity]
  and a = [angular; linear acceleration], resolved in the cut-frame. Through: the factors I and b of
  the cut-force f = [torque; force] = I*a + b (14), which counts into the element. I is symmetric.

  Motion passes from cut a to cut b, I and b pass from b to a, then a and qdd from a to b: the
  equations of a tree are solved one by one, in a number of operations linear in the joints. Cut a of
  a joint or bar must be the one nearer to the inertial system. }

@"mbssim/shapes"

cut class Frame (T(3,3)(unit="1"), r(3)(unit="m"), v(6), a(6) / I(6,6)(symmetric), b(6)) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa / Ia, ba)
end

model class MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa / Ia, ba), b (Tb, rb, vb, ab / Ib, bb)
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsOneCut) Inertial "inertial system with homogeneous gravity"
  parameter ng1 (unit="1") = 0 "direction of gravity, 1; without a direction there is no gravity"
  parameter ng2 (unit="1") = 0 "direction of gravity, 2"
  parameter ng3 (unit="1") = 0 "direction of gravity, 3"
  parameter g (unit="m/s2") = 9.81 "acceleration of gravity"
  local ng(3)(unit="1")
  ng = [ng1, ng2, ng3]
  Ta = identity(3)
  ra = 0
  va = 0
  { Accelerated against gravity, so that no body has to know of it. }
  aa = [zeros(3); -g*ng/max(norm(ng), 1e-12)]
end

model class (MbsOneCut) Body "rigid body"
  parameter m (unit="kg") = 0 "mass"
  parameter r1 (unit="m") = 0 "from the origin of the cut-frame to the centre of mass, 1"
  parameter r2 (unit="m") = 0 "centre of mass, 2"
  parameter r3 (unit="m") = 0 "centre of mass, 3"
  parameter I11 (unit="kg.m2") = 0 "inertia tensor about the centre of mass, 1,1"
  parameter I22 (unit="kg.m2") = 0 "inertia tensor, 2,2"
  parameter I33 (unit="kg.m2") = 0 "inertia tensor, 3,3"
  parameter I21 (unit="kg.m2") = 0 "inertia tensor, 2,1"
  parameter I31 (unit="kg.m2") = 0 "inertia tensor, 3,1"
  parameter I32 (unit="kg.m2") = 0 "inertia tensor, 3,2"
  local rCM(3)(unit="m")
  local J(3,3)(unit="kg.m2", symmetric) "inertia tensor about the origin of the cut-frame"
  local W(3,3)(unit="rad2/s2", symmetric) "W*x = omega x (omega x x)"
  rCM = [r1, r2, r3]
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
  { (10), (11a), (11b); omega x J*omega is written with the products of omega that W has, too. }
  Ia = [J, m*skew(rCM); -m*skew(rCM), m*identity(3)]
  ba(1) = J(1,3)*W(1,2) - J(1,2)*W(1,3) + (J(3,3) - J(2,2))*W(2,3) + J(2,3)*(W(2,2) - W(3,3))
  ba(2) = J(1,2)*W(2,3) - J(2,3)*W(1,2) + (J(1,1) - J(3,3))*W(1,3) + J(1,3)*(W(3,3) - W(1,1))
  ba(3) = J(2,3)*W(1,3) - J(1,3)*W(2,3) + (J(2,2) - J(1,1))*W(1,2) + J(1,2)*(W(1,1) - W(2,2))
  ba(4..6) = W*(m*rCM)
end

model class (MbsTwoCut) Interact "element that hands the motion on from cut a to cut b; a subclass gives T and r"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local C(6,6) "turns and moves v from a to b as in a rigid body"
  { (4a) and (4b), solved for cut b; (5b) }
  Tb = Ta*T'
  rb = ra + Ta*r
  C = [T, zeros(3,3); -T*skew(r), T]
end

model class (Interact) Bar "massless rigid bar"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  local xi(6) "what the acceleration of b has beside that of a"
  T = identity(3)
  r = [r1, r2, r3]
  { (4f), (5c), (4g) for v_ab = a_ab = 0 }
  vb = C*va
  xi = [zeros(3); skew(va(1..3))*skew(va(1..3))*r]
  ab = C*aa + xi
  { (14) of cut b put into (4h) }
  Ia = -C'*Ib*C
  ba = -C'*(bb + Ib*xi)
end

{ A joint of one degree of freedom is never locked here: L = 0 in (16) to (19). It would be locked by
  (1 - L)/M in the place of 1/M, in N, h and qdd. A subclass adds T, r, Phi, eta, (19a) and the cut
  ext (q, qd, qdd / lambda). }

model class (Interact) Joint "joint of one degree of freedom"
  parameter n1 (unit="1") = 0 "direction of the axis, 1"
  parameter n2 (unit="1") = 0 "direction of the axis, 2"
  parameter n3 (unit="1") = 0 "direction of the axis, 3"
  local n(3)(unit="1") "unit vector of the axis, in both frames"
  local Phi(6) "Phi*qd is the velocity of b relative to a"
  local eta(6) "what the acceleration of b has beside those of a and of the joint"
  local U(6), M, N(6,6)(symmetric), h, free(6)
  n = [n1, n2, n3]/norm([n1, n2, n3])
  qd = der(q)
  qdd = der(qd)
  vb = C*va + Phi*qd
  { (19d), (19c), (19b). Where n is an axis of the frame, M is an element of U, and that row of N vanishes. }
  U = Ib*Phi
  M = Phi'*U
  N = Ib - U*(U/M)'
  h = (lambda + Phi'*bb)/M
  ba = -C'*(bb + N*eta - U*h)
  { (17a), (16b), (16c) }
  free = C*aa + eta
  qdd = -((U/M)'*free + h)
  ab = free + Phi*qdd
end

model class (Joint) Revolute "revolute joint: b turns about the axis"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0),
           qdd(unit="rad/s2") / lambda(unit="N.m")) "angle and torque about the axis"
  local w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "perpendicular to n; u, v, n are a right-handed frame"
  local B(6,6)(unit="1") "from that frame to frame a, and to frame b before it is turned"
  local Nuu(2,2)(symmetric), Nuv(2,2), Nun(2,2), Nvv(2,2)(symmetric), Nvn(2,2), Nnn(2,2)(symmetric)
  local p(2,2)(symmetric), sq (unit="1"), cq (unit="1")
  sq = sin(q)
  cq = cos(q)
  { (6) }
  T = n*n' + (identity(3) - n*n')*cq - skew(n)*sq
  r = 0
  Phi = [n; zeros(3)]
  { (17c), (5c) for v_ab = 0, resolved in frame b }
  eta = [cross(vb(1..3), n*qd); zeros(3)]
  { (19a): C turns by -q about n, in the plane of u and v. Of a tensor with the elements uu, uv, vv in
    that plane only uu - vv and uv turn, by the double angle, which p has: uu - sin(q)*p, vv + sin(q)*p,
    cos(q)*p - uv are the new elements. The 2*2 blocks hold the element of each 3*3 block of N. }
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  B = [u, zeros(3), v, zeros(3), n, zeros(3); zeros(3), u, zeros(3), v, zeros(3), n]
  [Nuu, Nuv, Nun; Nuv', Nvv, Nvn; Nun', Nvn', Nnn] = B'*N*B
  p = sq*(Nuu - Nvv) + cq*(Nuv + Nuv')
  Ia = -B*[Nuu - sq*p, cq*p - Nuv', cq*Nun - sq*Nvn;
           cq*p - Nuv, Nvv + sq*p, sq*Nun + cq*Nvn;
           cq*Nun' - sq*Nvn', sq*Nun' + cq*Nvn', Nnn]*B'
end

model class (Joint) Prismatic "prismatic joint: b slides along the axis"
  parameter q0 (unit="m") = 0 "displacement at the start"
  parameter qd0 (unit="m/s") = 0 "velocity at the start"
  cut ext (q(unit="m", start=q0), qd(unit="m/s", start=qd0),
           qdd(unit="m/s2") / lambda(unit="N")) "displacement and force along the axis"
  { (6) }
  T = identity(3)
  r = n*q
  Phi = [zeros(3); n]
  { (17c), (5c) }
  eta = [zeros(3); cross(va(1..3), cross(va(1..3), r) + 2*qd*n)]
  { (19a) }
  Ia = -C'*N*C
end

{ Force elements: I = 0 in (14). They take the motion of both cuts as given and hand none on. }

model class (MbsTwoCut) LineForce "force f along the line between the origins; f > 0 pulls them together"
  constant small (unit="m") = 1e-9 "below this distance the line has no direction, and the force fades out"
  terminal s (unit="m") "distance of the origins"
  terminal f (unit="N") "force"
  local F(3)(unit="N") "force on the element at cut b, resolved in the inertial frame"
  s = norm(rb - ra)
  { (4b), (4e), (4h) for a force along the line }
  F = f/max(s, small)*(rb - ra)
  Ia = 0
  Ib = 0
  ba = [zeros(3); -Ta'*F]
  bb = [zeros(3); Tb'*F]
end

model class (LineForce) Spring "linear spring between two origins"
  parameter c (unit="N/m") "stiffness"
  parameter s0 (unit="m") = 0 "unstretched length"
  f = c*(s - s0)
end

model class JointDamper "viscous damper at the cut ext of a joint"
  main cut a (q, qd, qdd / f)
  parameter d "force or torque per velocity"
  f = d*qd
end
