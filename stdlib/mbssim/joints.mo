{ Joints of multibody systems, direct problem: a part of mbssim.mo.

  A joint of one degree of freedom passes its coordinate to the cut ext. Elements there provide applied and J, so that
  applied + J*qdd is their force, and L > 0 while they lock the joint; then p is the acceleration (0 if the joint is at rest), and
  L*hold the force with which each of them holds the joint. L of friction that sticks is its greatest force: as nothing else
  determines their parts, several share the whole so that they begin to slide together. driven is 1 where an element moves the joint
  whatever the forces (moves = 1): then friction that sticks has no part in it. lambda is the whole force on the joint, and locked is
  1 where L > 0. (8), (9), (16) to (19) are valid with applied instead of lambda and M - J instead of M:

    0 = lambda + Phi'*fb    lambda = applied - J*qdd + L*hold    locked*(qdd - p) + (1 - locked)*hold = 0

  where J and L are the sums over the elements at ext. Without such elements both are zero, and their terms vanish.
  A joint that is loose (LoopJoint) is not eliminated: qdd stays in b, and (16) is a condition, which needs no mass after the joint. }

@mbssim

cut class DriveCut (q, qd, qdd, hold(optional), driven(optional) / applied, J(optional),
                    L(optional), p(optional),
                    loose(optional), moves(optional)) "coordinate and force of a joint or a drive line"

model class (MbsTwoCut, MbsOneFreedom) Joint
    "joint of one degree of freedom; a subclass gives T, r, Phi, eta, (19a) and the cut ext"
  local U(6)(private), M (private), part (private), s (private), eta(6)(private), free(6)(private),
        given (private), locked (private)
  local lambda "force or torque along the coordinate, including that of rotors and of the locking element"
  local kept "of the row of N along the axis: N*Phi = kept*U"
  local Neta(6) "N*eta"
  local open "1: the joint is loose, or closes a loop"
  { (19d), (19b) with N = Ib - part*U*U' of (19c), which a subclass writes out }
  locked = noevent(if L > 0 then 1 else 0)
  U = Ib*Phi
  M = Phi'*U - J
  part = (1 - open)*(1 - locked)/(M*(1 - open) + open)
  kept = open + (1 - open)*locked - part*J
  given = (1 - open)*p + open*qdd
  s = applied + Phi'*bb
  ba = -C'*(bb + Neta - U*(part*s - given))
  { (17c), (17a), (16b), (16a) }
  eta = xi + zeta
  free = C*aa + eta
  (1 - open)*(qdd - p + part*s + (U*part)'*free) +
      open*(locked*(qdd - p) + (1 - locked)*(U'*free + s + M*qdd)) = 0
  { Where the joint closes a loop, bb is the force that closes it. }
  if closing then
    Ib = 0
    open = 1
  else
    open = loose
  endif
  hold = -locked*(U'*free + s + M*p)/noevent(if L > 0 then L else 1)
  lambda = applied - J*qdd + L*hold
  driven = moves
end

model class MbsAngleCut "angle of a joint"
  parameter q0 (unit="rad") = 0 "angle at the start"
  parameter qd0 (unit="rad/s") = 0 "angular velocity at the start"
  cut (DriveCut) ext (q(unit="rad", start=q0), qd(unit="rad/s", start=qd0), qdd(unit="rad/s2"),
                      hold(unit="N.m"), driven / applied(unit="N.m", private),
                      -J(unit="kg.m2", private), -L(private),
                      -p(unit="rad/s2", private), -loose, -moves) "angle and torque about the axis"
end

model class MbsFactors "linear factors of a joint"
  local N(6,6)(symmetric, private)
  { (19c), (19a) }
  N = Ib - U*(U*part)'
  Neta = N*eta
  Ia = -C'*N*C
end

model class MbsDisplacementCut "displacement of a joint"
  parameter q0 (unit="m") = 0 "displacement at the start"
  parameter qd0 (unit="m/s") = 0 "velocity at the start"
  cut (DriveCut) ext (q(unit="m", start=q0), qd(unit="m/s", start=qd0), qdd(unit="m/s2"),
                      hold(unit="N"), driven / applied(unit="N", private), -J(unit="kg", private),
                      -L(private),
                      -p(unit="m/s2", private),
                      -loose, -moves)
      "displacement and force along the axis"
end

model class MbsTurnFactors "linear factors of a joint that turns only"
  local w(3)(unit="1", private), u(3)(unit="1", private),
        v(3)(unit="1", private) "perpendicular to n; u, v, n are a right-handed frame"
  local B(6,6)(unit="1", private) "from that frame to frame a, and to frame b before it is turned"
  local Iuu(2,2)(symmetric), Iuv(2,2), Iun(2,2), Ivv(2,2)(symmetric), Ivn(2,2), Inn(2,2)(symmetric)
  local Nuu(2,2)(symmetric), Nuv(2,2), Nun(2,2), Nvv(2,2)(symmetric), Nvn(2,2), Nnn(2,2)(symmetric)
  local turned(2,2)(symmetric), sq (unit="1"), cq (unit="1")
  sq = sin(q)
  cq = cos(q)
  { (19c): if the joint is free and has no rotor, kept is 0, and the row along the axis vanishes. The 2*2 blocks hold the
    elements of each 3*3 block of the matrix; the first column of Iun, Ivn, Inn is U. }
  [Iuu, Iuv, Iun; Iuv', Ivv, Ivn; Iun', Ivn', Inn] = B'*Ib*B
  Nuu = Iuu - Iun(:,1)*(Iun(:,1)*part)'
  Nuv = Iuv - Iun(:,1)*(Ivn(:,1)*part)'
  Nvv = Ivv - Ivn(:,1)*(Ivn(:,1)*part)'
  Nun = [kept*Iun(:,1), Iun(:,2) - Iun(:,1)*(part*Inn(2,1))]
  Nvn = [kept*Ivn(:,1), Ivn(:,2) - Ivn(:,1)*(part*Inn(2,1))]
  Nnn = [kept*Inn(1,1), kept*Inn(2,1); kept*Inn(2,1), Inn(2,2) - Inn(2,1)*(part*Inn(2,1))]
  Neta = B*([Nuu, Nuv, Nun; Nuv', Nvv, Nvn; Nun', Nvn', Nnn]*(B'*eta))
  { (19a): C is a rotation by -q about n, in the plane of u and v. Of a tensor with the elements uu, uv, vv in that
    plane only uu - vv and uv change, by a rotation by twice the angle; with turned from it, the new elements are
    uu - sin(q)*turned, vv + sin(q)*turned and cos(q)*turned - uv. }
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
  B = [u, zeros(3), v, zeros(3), n, zeros(3); zeros(3), u, zeros(3), v, zeros(3), n]
  turned = sq*(Nuu - Nvv) + cq*(Nuv + Nuv')
  Ia = -B*[Nuu - sq*turned, cq*turned - Nuv', cq*Nun - sq*Nvn;
           cq*turned - Nuv, Nvv + sq*turned, sq*Nun + cq*Nvn;
           cq*Nun' - sq*Nvn', sq*Nun' + cq*Nvn', Nnn]*B'
end

{ --- joints with coordinates of your own --- }

model class MbsCoordinate "coordinate of a JointN as a cut, for drives, springs and stops"
  main cut (DriveCut) ext (q, qd, qdd, hold, driven / applied, -J, -L, -p, ., -moves) "coordinate and force along it"
  local lambda "force along it, including that of rotors and of the locking element"
  driven = moves
  lambda = applied - J*qdd + L*hold
end

model class (MbsTwoCut, MbsJointN) FlexibleBody
    "body with a frame b that n coordinates move; a subclass gives T and r as functions of q, and the mass"
  local U(6, n)(private), M(n, n)(symmetric, private), F(n, n)(symmetric, private),
        K(n, n)(symmetric, private),
        G(n, n)(symmetric, private), N(6,6)(symmetric, private), X(6, n)(private), Y(6,6)(private)
  local L(n)(private), given(n)(private), s(n)(private), y(n)(private), eta(6)(private),
        free(6)(private), h(n)(private)
  { G is the inverse of M (17b) for the coordinates that are not locked, by the inverse K of F; its last column first, then one
    equation less for each. Locked ones have the accelerations `given`. }
  U = Ib*Phi
  for i = 1..n do
    for j = i..n do
      M(i, j) = Phi(:, i)'*U(:, j) - Iqq(i, j) - (if i == j then coordinate(i).J else 0)
      F(i, j) = (1 - L(i))*M(i, j)*(1 - L(j)) + (if i == j then L(i) else 0)
      if closing then
        K(i, j) = 0
      else
        F(i, :)'*K(:, j) = if i == j then 1 else 0
      endif
      G(i, j) = (1 - L(i))*K(i, j)*(1 - L(j))
    endfor
    L(i) = noevent(if coordinate(i).L > 0 then 1 else 0)
    given(i) = L(i)*coordinate(i).p
    s(i) = lambda(i) - bq(i) + coordinate(i).applied + Phi(:, i)'*bb + M(i, :)'*given
    y(i) = G(i, :)'*s - given(i)
    h(i) = U(:, i)'*free - Irq(:, i)'*aa + s(i)
  endfor
  { (19) }
  N = Ib - U*G*U'
  X = Irq*G
  Y = X*U'*C
  Ia = Irr + Irq*G*Irq' - (Y + Y') - C'*N*C
  ba = br - Irq*y - X*U'*eta - C'*(bb + N*eta - U*y)
  { (17c), (17a), (16b) }
  eta = xi + zeta
  free = C*aa + eta
  for i = 1..n do
    if closing then
      L(i)*(qdd(i) - given(i)) + (1 - L(i))*(h(i) + M(i, :)'*(qdd - given)) = 0
    else
      qdd(i) = given(i) - G(i, :)'*h
    endif
    coordinate(i).hold = -L(i)*(h(i) + M(i, :)'*(qdd - given))
                         /noevent(if coordinate(i).L > 0 then coordinate(i).L else 1)
  endfor
  if closing then
    Ib = 0
  endif
end

{ --- joints of three and six degrees of freedom with Euler parameters, as in mbs/joints.mo --- }

model class SymmetricInverse "K is the inverse of the symmetric matrix A, by its minors"
  terminal A(3,3)(symmetric), K(3,3)(symmetric)
  local minors(3,3)(symmetric), det
  minors = [cross(A(:,2), A(:,3)), cross(A(:,3), A(:,1)), cross(A(:,1), A(:,2))]
  det = A(:,1)'*minors(:,1)
  K = minors/det
end

model class (MbsTwoCut, MbsBall) Turning
    "joint in which b turns freely; a subclass gives r, alpha and the forces through the joint"
end

model class (Turning) Spherical "spherical joint: the origins of both frames are one point"
  submodel (SymmetricInverse) M if not closing
  local X(3,3)(private), N(3,3)(symmetric, private), free(6)(private)
  r = 0
  Ia = [zeros(3,3), zeros(3,3); zeros(3,3), -T'*N*T]
  ba = [T'*tau; -T'*(bb(4..6) - X'*(bb(1..3) + tau))]
  free = C*aa + xi
  if closing then
    { Nothing after the joint has mass, as bb is the force that closes the loop. }
    Ib = 0
    X = 0
    N = 0
    bb(1..3) = -tau
  else
    bvab = [w; zeros(3)]
    { (19) for Phi = [E; 0]: only the block of N for the forces remains }
    M.A = Ib(1..3,1..3)
    X = M.K*Ib(1..3,4..6)
    N = Ib(4..6,4..6) - Ib(1..3,4..6)'*M.K*Ib(1..3,4..6)
    { (16b), (6) }
    alpha = -(free(1..3) + X*free(4..6) + M.K*(bb(1..3) + tau))
    baab = [alpha; zeros(3)]
  endif
end

model class (Turning, MbsFreeMotion) Free
    "no joint: b moves freely relative to a, and only the applied force and torque pass"
  submodel (SymmetricInverse) D if not closing, S if not closing
  local X(3,3)(private)
  Ia = 0
  ba = [T'*tau + cross(r, f); f]
  if closing then
    Ib = 0
    bb = -[tau; T*f]
    X = 0
  else
    { fb = Ib*ab + bb = -[tau; T*f], with the linear accelerations eliminated first }
    D.A = Ib(4..6,4..6)
    X = D.K*Ib(4..6,1..3)
    S.A = Ib(1..3,1..3) - Ib(1..3,4..6)*D.K*Ib(4..6,1..3)
    ab(1..3) = -S.K*(bb(1..3) + tau - X'*(bb(4..6) + T*f))
    ab(4..6) = -(X*ab(1..3) + D.K*(bb(4..6) + T*f))
    [alpha; der(v)] = [baab(1..3); aaab(4..6)]
  endif
end
