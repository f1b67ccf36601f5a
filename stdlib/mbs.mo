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
@"mbs/closed"
@"mbs/forces"
@"multibody/parameters"
@"multibody/motion"
@"multibody/joints"
@"multibody/drive_lines"
@"multibody/forces"
@"multibody/springs"
@"multibody/loops"
@"multibody/cut_joints"
@"multibody/closed"
@"multibody/closed_accelerations"
@"multibody/drives"
@"multibody/compound_joints"
@"multibody/assemblies"
@"multibody/shapes"
@"multibody/beams"
@"multibody/contact_laws"
@"multibody/tires"
@"multibody/collisions"

cut class Frame (T(3,3)(unit="1", rotation), r(3)(unit="m"), v(6), a(6) / f(6)) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa / fa)
end

model class (MbsChain) MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa / fa), b (Tb, rb, vb, ab / fb)
end

model class (MbsTwoCut, MbsRelative) Interact
    "element without mass that the motion of b relative to a describes; a subclass gives bTa, arab, bvab and baab"
  { (4h) }
  0 = fa + C'*fb
end

{ --- elements with one cut --- }

model class (MbsOneCut, MbsAccelerated) Inertial "inertial system with homogeneous gravity"
end

model class (MbsOneCut, MbsMoving) MbsRigidBody "rigid body"
  local Z(3,3)(unit="rad/s2", private) "Z*x is the acceleration of a point at x against that of the origin"
  local al(3)(unit="rad/s2"), tau(3)(unit="N.m", private), F(3)(unit="N", private)
  al = aa(1..3)
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

model class (Interact, MbsRigid) Rigid "element whose ends do not move relative to each other; a subclass gives T and r"
end

model class (MbsOneCut) MbsMarker "element with one mechanical cut that applies no force"
  fa = 0
end
