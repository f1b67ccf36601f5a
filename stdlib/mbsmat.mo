{ Multibody systems, any problem, in minimal coordinates: M*qdd + h = f + W*lambda by velocity transformation.

  T. S. No: A Method of Formulating the Equations of Motion of Multibody Systems; PyMbs: Background, explicit scheme. Numbers in
  parentheses with N are equations of the former, with P of the latter; without a letter they are those of M. Otter, H. Elmqvist,
  F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented Modeling Language Dymola.

  The velocities qd of all joints are one vector, in which the compiler numbers the coordinates: number("dof") are those of a
  joint, count("dof") is how many there are. A cut-frame is parallel to the inertial frame in the home position (all joint
  coordinates zero). Across variables of its cut: T, the direction cosines that turn a vector of the frame into the inertial
  frame; r, the position of its origin, resolved in the inertial frame; v and a = [angular; linear velocity and acceleration],
  resolved in the cut-frame; B and c, with v = B*qd (N11) and a = B*qdd + c; qdd, those of all joints; balance, that of the
  generalized forces, in which a joint makes its elements zero. Through: f = [torque; force] into the element, resolved in the
  cut-frame; g, the generalized force that the element applies; M and h, its parts of B'*M*B and B'*(M*c + b) (N20), (P8); w,
  its part of qdd.

  The names are those of mbs.mo. Cut a of a joint or bar must be the one nearer to the inertial system. }

@"mbsmat/joints"
@"mbsmat/balls"
@"mbsmat/loops"
@"mbsmat/closed"
@"mbsmat/spatial"
@"mbsmat/forces"
@"mbsmat/sensors"
@"multibody/drive_lines" with mbsmat
@"multibody/drives" with mbsmat
@"multibody/compound_joints" with mbsmat
@"multibody/assemblies" with mbsmat
@"multibody/shapes" with mbsmat
@"multibody/contact_laws"

cut class Frame (T(3,3)(unit="1"), r(3)(unit="m"), v(6), a(6), B(6, count("dof")), c(6)(optional),
                 qdd(count("dof"))(optional), balance(count("dof"))(optional) / f(6),
                 g(count("dof")), M(count("dof"), count("dof"))(symmetric, optional),
                 h(count("dof"))(optional), w(count("dof"))(optional)) "cut-frame"

model class MbsOneCut "element that acts by a force on one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa, Ba / fa, ga)
  { (P8) }
  for i = 1..count("dof") do
    ga(i) = -Ba(:, i)'*fa
  endfor
end

model class MbsTwoCut "element that acts by forces on two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa, Ba / fa, ga), b (Tb, rb, vb, ab, Bb / fb, gb)
  main cut c [a, b]
  main path p <a - b>
  for i = 1..count("dof") do
    ga(i) = -Ba(:, i)'*fa
    gb(i) = -Bb(:, i)'*fb
  endfor
end

model class Interact "element that passes the motion from cut a to cut b; a subclass gives T, r and the motion of b"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, M, h, wa),
      b (Tb, rb, vb, ab, Bb, cb, qdds, balance / fb, gb, -M, -h, wb)
  main cut c [a, b]
  main path p <a - b>
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local C(6,6) "turns and moves v from a to b as in a rigid body"
  { (4a) and (4b), solved for cut b; (5b); (4h) }
  Tb = Ta*T'
  rb = ra + Ta*r
  C = [T, zeros(3,3); -T*skew(r), T]
  fa = -C'*fb
end

{ --- elements with one cut --- }

model class Inertial "inertial system with homogeneous gravity"
  parameter ng1 (unit="1") = 0 "direction of gravity, 1; without a direction there is no gravity"
  parameter ng2 (unit="1") = 0 "direction of gravity, 2"
  parameter ng3 (unit="1") = 0 "direction of gravity, 3"
  parameter g (unit="m/s2") = 9.81 "acceleration of gravity"
  main cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, Ma, ha, wa)
  terminal Mred(count("dof"), count("dof"))(symmetric), hred(count("dof")),
           fred(count("dof")) "mass matrix, bias and applied forces of the tree: Mred*qdd + hred = fred"
  local ng(3)(unit="1")
  ng = [ng1, ng2, ng3]
  Ta = identity(3)
  ra = 0
  va = 0
  { Accelerated against gravity, so that bodies need not know gravity. }
  aa = [zeros(3); -g*ng/max(norm(ng), 1e-12)]
  Ba = 0
  ca = aa
  { (N20), (P9): all elements together }
  Mred = -Ma
  hred = -ha
  fred = -ga
  qdds = -wa
  for i = 1..count("dof") do
    balance(i) = Mred(:, i)'*qdds + hred(i) - fred(i)
  endfor
end

model class Mass "element with mass; a subclass gives I and b"
  main cut (Frame) a (Ta, ra, va, aa, Ba, ca / fa, ga, M, h)
  local I(6,6)(symmetric), b(6) "the cut-force is I*a + b"
  local d(6) "cut-force for qdd = 0"
  { (14), (N18); (N20), (P8) }
  fa = I*aa + b
  ga = 0
  M = Ba'*I*Ba
  d = I*ca + b
  for i = 1..count("dof") do
    h(i) = Ba(:, i)'*d
  endfor
end

model class (Mass) Body "rigid body"
  parameter m (unit="kg", min=0) = 0 "mass"
  parameter r1 (unit="m") = 0 "from the origin of the cut-frame to the center of mass, 1"
  parameter r2 (unit="m") = 0 "center of mass, 2"
  parameter r3 (unit="m") = 0 "center of mass, 3"
  parameter I11 (unit="kg.m2", min=0) = 0 "inertia tensor about the center of mass, 1,1"
  parameter I22 (unit="kg.m2", min=0) = 0 "inertia tensor, 2,2"
  parameter I33 (unit="kg.m2", min=0) = 0 "inertia tensor, 3,3"
  parameter I21 (unit="kg.m2") = 0 "inertia tensor, 2,1"
  parameter I31 (unit="kg.m2") = 0 "inertia tensor, 3,1"
  parameter I32 (unit="kg.m2") = 0 "inertia tensor, 3,2"
  parameter (Boolean) any_inertia = false
            "true: accepts an inertia that no body can have, as some published models give it"
  local rCM(3)(unit="m")
  { The sum of m*x*x' over the masses of a body, x from its center, is (I11 + I22 + I33)/2*E - I, with the diagonal S11, S22, S33:
    a matrix without negative minors, which is the triangle inequality about all axes. A tensor without some element of the
    diagonal passes: it describes a body that turns about one axis only. }
  parameter S11 (unit="kg.m2") = (I22 + I33 - I11)/2, S22 (unit="kg.m2") = (I11 + I33 - I22)/2,
            S33 (unit="kg.m2") = (I11 + I22 - I33)/2
  assert any_inertia or I11*I22*I33 == 0 or min(S11, min(S22, S33)) >= -1e-6*(I11 + I22 + I33) and
      min(S11*S22 - I21^2, min(S11*S33 - I31^2, S22*S33 - I32^2)) >= -1e-6*(I11 + I22 + I33)^2 and
      S11*S22*S33 - 2*I21*I31*I32 - S11*I32^2 - S22*I31^2 - S33*I21^2 >= -1e-6*(I11 + I22 + I33)^3,
      "no rigid body has this inertia: the moment about one axis exceeds the sum of the two others (I11, I22, I33, I21, I31, I32); any_inertia=true accepts it"
  assert any_inertia or I11*I22 >= I21^2 and I11*I33 >= I31^2 and I22*I33 >= I32^2,
      "no rigid body has this inertia: I21, I31 or I32 is too large; any_inertia=true accepts it"
  local J(3,3)(unit="kg.m2", symmetric) "inertia tensor about the origin of the cut-frame"
  local W(3,3)(unit="rad2/s2", symmetric) "W*x = omega x (omega x x)"
  rCM = [r1, r2, r3]
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
  { (10), (11a), (11b); omega x J*omega is written with the products of omega that W contains too. }
  I = [J, m*skew(rCM); -m*skew(rCM), m*identity(3)]
  b(1) = J(1,3)*W(1,2) - J(1,2)*W(1,3) + (J(3,3) - J(2,2))*W(2,3) + J(2,3)*(W(2,2) - W(3,3))
  b(2) = J(1,2)*W(2,3) - J(2,3)*W(1,2) + (J(1,1) - J(3,3))*W(1,3) + J(1,3)*(W(3,3) - W(1,1))
  b(3) = J(2,3)*W(1,3) - J(1,3)*W(2,3) + (J(2,2) - J(1,1))*W(1,2) + J(1,2)*(W(1,1) - W(2,2))
  b(4..6) = W*(m*rCM)
end

model class (Mass) PointMass "mass in the origin of the cut-frame, without inertia"
  parameter m (unit="kg", min=0) "mass"
  I = [zeros(3,3), zeros(3,3); zeros(3,3), m*identity(3)]
  b = 0
end

{ --- rigid connections --- }

model class (Interact) Rigid "element whose ends do not move relative to each other; a subclass gives T and r"
  local eta(6) "acceleration of b in addition to that of a"
  { (4f), (4g), (5c) for v_ab = a_ab = 0 }
  vb = C*va
  Bb = C*Ba
  eta = [zeros(3); T*(skew(va(1..3))*skew(va(1..3))*r)]
  ab = C*aa + eta
  cb = C*ca + eta
  gb = -ga
  wb = -wa
end

model class (Rigid) Bar "massless rigid bar"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  T = identity(3)
  r = [r1, r2, r3]
end

model class (Rigid) Fixed "massless rigid connection: frame b is turned and displaced relative to frame a"
  parameter n1 (unit="1") = 0 "axis about which frame b is turned, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = if n1 == 0 and n2 == 0 then 1 else 0 "axis, 3; without any direction it is axis 3"
  parameter angle (unit="rad") = 0 "angle of the rotation"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, resolved in frame a, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  local n(3)(unit="1")
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(angle) - skew(n)*sin(angle)
  r = [r1, r2, r3]
end

model class (MbsOneCut) MbsMarker "element with one mechanical cut that applies no force"
  fa = 0
end
