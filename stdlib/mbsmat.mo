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
@"mbsmat/loops"
@"mbsmat/closed"
@"mbsmat/forces"
@"multibody/parameters" with mbsmat
@"multibody/motion" with mbsmat
@"multibody/joints" with mbsmat
@"multibody/drive_lines" with mbsmat
@"multibody/forces" with mbsmat
@"multibody/springs" with mbsmat
@"multibody/loops" with mbsmat
@"multibody/closed" with mbsmat
@"multibody/drives" with mbsmat
@"multibody/compound_joints" with mbsmat
@"multibody/assemblies" with mbsmat
@"multibody/shapes" with mbsmat
@"multibody/beams" with mbsmat
@"multibody/contact_laws" with mbsmat
@"multibody/tires" with mbsmat
@"multibody/collisions" with mbsmat

cut class Frame (T(3,3)(unit="1", rotation), r(3)(unit="m"), v(6), a(6), B(6, count("dof")),
                 c(6)(optional),
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

model class (MbsChain) MbsTwoCut "element that acts by forces on two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa, Ba / fa, ga), b (Tb, rb, vb, ab, Bb / fb, gb)
  for i = 1..count("dof") do
    ga(i) = -Ba(:, i)'*fa
    gb(i) = -Bb(:, i)'*fb
  endfor
end

model class (MbsRelative, MbsChain) Interact
    "element without mass that the motion of b relative to a describes; a subclass gives bTa, arab, bvab, baab, and the motion by B and c"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, M(private), h(private), wa),
      b (Tb, rb, vb, ab, Bb, cb, qdds, balance / fb, gb, -M, -h, wb)
  { (4h) }
  fa = -C'*fb
end

model class (MbsPose, MbsChain, MbsClosing) MbsJoint
    "element that passes the motion from cut a to cut b, or closes a loop"
  cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, M(private), h(private), wa),
      b (Tb, rb, vb, ab, Bb, cb, qddsb, balanceb / fb, gb, Mb, hb, wb)
  local force(6)(private), mass(count("dof"), count("dof"))(symmetric, private),
        bias(count("dof"))(private)
        "of its own mass: the cut-force at a, and its parts of the mass matrix and the bias forces"
  { (4h) }
  fa = force - C'*fb
  if closing then
    { (P8): it acts by forces. }
    for i = 1..count("dof") do
      ga(i) = -Ba(:, i)'*fa
      gb(i) = -Bb(:, i)'*fb
    endfor
    M = 0
    Mb = 0
    h = 0
    hb = 0
    wa = 0
    wb = 0
  else
    Mb = mass - M
    hb = bias - h
    qddsb = qdds
    balanceb = balance
  endif
end

model class (MbsJoint) MbsLightJoint "joint without mass"
  force = 0
  mass = 0
  bias = 0
end

model class MbsNumbers "numbers of n coordinates"
  parameter (Integer) n
  constant (Integer) k(n)(private) = number("dof")
end

{ --- elements with one cut --- }

model class (MbsAccelerated) Inertial "inertial system with homogeneous gravity"
  main cut (Frame) a (Ta, ra, va, aa, Ba, ca, qdds, balance / fa, ga, Ma, ha, wa)
  terminal Mred(count("dof"), count("dof"))(symmetric), hred(count("dof")),
           fred(count("dof")) "mass matrix, bias and applied forces of the tree: Mred*qdd + hred = fred"
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
  main cut (Frame) a (Ta, ra, va, aa, Ba, ca / fa, ga, M(private), h(private))
  local I(6,6)(symmetric, private), b(6)(private) "the cut-force is I*a + b"
  local d(6)(private) "cut-force for qdd = 0"
  { (14), (N18); (N20), (P8) }
  fa = I*aa + b
  ga = 0
  M = Ba'*I*Ba
  d = I*ca + b
  for i = 1..count("dof") do
    h(i) = Ba(:, i)'*d
  endfor
end

model class (Mass, MbsMoving) MbsRigidBody "rigid body"
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

model class (Interact, MbsRigid) Rigid "element whose ends do not move relative to each other; a subclass gives T and r"
  Bb = C*Ba
  cb = C*ca + xi
  gb = -ga
  wb = -wa
end

model class (MbsOneCut) MbsMarker "element with one mechanical cut that applies no force"
  fa = 0
end
