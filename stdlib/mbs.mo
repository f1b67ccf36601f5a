{ Multibody systems, any problem: forces to motion, motion to forces, or some of each; trees and loops.

  M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented
  Modeling Language Dymola, sections 4 and 5; numbers in brackets are equations of that paper.

  A cut-frame is parallel to the inertial frame in the home position (all joint coordinates zero).
  Its cut carries across: T, the direction cosines that turn a vector of the frame into the inertial
  frame; r, the position of its origin, resolved in the inertial frame; v = [angular; linear velocity]
  and a = [angular; linear acceleration], resolved in the cut-frame. Through: f = [torque; force] into
  the element, resolved in the cut-frame.

  The names are those of mbssim.mo, which solves the direct problem of trees with fewer operations. }

@"mbs/joints"
@"mbs/forces"
@"mbs/loops"
@"mbs/shapes"

cut class Frame (T(3,3)(unit="1"), r(3)(unit="m"), v(6), a(6) / f(6)) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa / fa)
end

model class MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa / fa), b (Tb, rb, vb, ab / fb)
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsTwoCut) Interact "element that hands the motion on from cut a to cut b; a subclass gives T, r and the motion of b"
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
  local Z(3,3)(unit="rad/s2") "Z*x is the acceleration of a point at x against that of the origin"
  local al(3)(unit="rad/s2"), tau(3)(unit="N.m"), F(3)(unit="N")
  rCM = [r1, r2, r3]
  al = aa(1..3)
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
  Z = skew(al) + W
  { (10), (11a), (11b), written with the elements of Z: others of the same frame need them, too. }
  F = m*aa(4..6) + Z*(m*rCM)
  tau(1) = J(1,1)*al(1) + (J(3,3) - J(2,2))*W(2,3) - J(1,2)*Z(3,1) + J(1,3)*Z(2,1) + J(2,3)*(W(2,2) - W(3,3))
  tau(2) = J(2,2)*al(2) + (J(1,1) - J(3,3))*W(1,3) + J(1,2)*Z(3,2) - J(2,3)*Z(1,2) + J(1,3)*(W(3,3) - W(1,1))
  tau(3) = J(3,3)*al(3) + (J(2,2) - J(1,1))*W(1,2) - J(1,3)*Z(2,3) + J(2,3)*Z(1,3) + J(1,2)*(W(1,1) - W(2,2))
  fa = [tau + cross(m*rCM, aa(4..6)); F]
end

{ --- rigid connections --- }

model class (Interact) Bar "massless rigid bar"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  T = identity(3)
  r = [r1, r2, r3]
  { (4f), (4g), (5c) for v_ab = a_ab = 0 }
  vb = C*va
  ab = aa + [zeros(3); (skew(aa(1..3)) + skew(va(1..3))*skew(va(1..3)))*r]
end
