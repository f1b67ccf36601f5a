{ Multibody systems, any problem: direct, inverse, or mixed; trees and loops.

  M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented
  Modeling Language Dymola, sections 4 and 5; numbers in parentheses are equations of that paper.

  A cut-frame is parallel to the inertial frame in the home position (all joint coordinates zero).
  Across variables of its cut: T, the direction cosines that turn a vector of the frame into the inertial
  frame; r, the position of its origin, resolved in the inertial frame; v = [angular; linear velocity]
  and a = [angular; linear acceleration], resolved in the cut-frame. Through: f = [torque; force] into
  the element, resolved in the cut-frame.

  The names are those of mbssim.mo, which solves the direct problem for trees with fewer operations. }

@"mbs/joints"
@"mbs/balls"
@"mbs/loops"
@"mbs/closed"
@"mbs/spatial"
@"mbs/forces"
@"mbs/sensors"
@"multibody/drive_lines"
@"multibody/drives"
@"multibody/compound_joints"
@"multibody/assemblies"
@"multibody/shapes"
@"multibody/contact_laws"

cut class Frame (T(3,3)(unit="1"), r(3)(unit="m"), v(6), a(6) / f(6)) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa / fa)
end

model class MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa / fa), b (Tb, rb, vb, ab / fb)
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsTwoCut) Interact
    "element that passes the motion from cut a to cut b; a subclass gives T, r and the motion of b"
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
  { Accelerated against gravity, so that bodies need not know gravity. }
  aa = [zeros(3); -g*ng/max(norm(ng), 1e-12)]
end

model class (MbsOneCut) Body "rigid body"
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
  local Z(3,3)(unit="rad/s2") "Z*x is the acceleration of a point at x against that of the origin"
  local al(3)(unit="rad/s2"), tau(3)(unit="N.m"), F(3)(unit="N")
  rCM = [r1, r2, r3]
  al = aa(1..3)
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
  Z = skew(al) + W
  { (10), (11a), (11b), written with the elements of Z, which other equations of this frame contain too. }
  F = m*aa(4..6) + Z*(m*rCM)
  tau(1) = J(1,1)*al(1) + (J(3,3) - J(2,2))*W(2,3) - J(1,2)*Z(3,1) + J(1,3)*Z(2,1) +
           J(2,3)*(W(2,2) - W(3,3))
  tau(2) = J(2,2)*al(2) + (J(1,1) - J(3,3))*W(1,3) + J(1,2)*Z(3,2) - J(2,3)*Z(1,2) +
           J(1,3)*(W(3,3) - W(1,1))
  tau(3) = J(3,3)*al(3) + (J(2,2) - J(1,1))*W(1,2) - J(1,3)*Z(2,3) + J(2,3)*Z(1,3) +
           J(1,2)*(W(1,1) - W(2,2))
  fa = [tau + cross(m*rCM, aa(4..6)); F]
end

model class (MbsOneCut) PointMass "mass in the origin of the cut-frame, without inertia"
  parameter m (unit="kg", min=0) "mass"
  fa = [zeros(3); m*aa(4..6)]
end

{ --- rigid connections --- }

model class (Interact) Rigid "element whose ends do not move relative to each other; a subclass gives T and r"
  { (4f), (4g), (5c) for v_ab = a_ab = 0 }
  vb = C*va
  ab = [T*aa(1..3); T*(aa(4..6) + (skew(aa(1..3)) + skew(va(1..3))*skew(va(1..3)))*r)]
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
