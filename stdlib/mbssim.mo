{ Multibody systems, direct problem: accelerations from given forces.

  M. Otter, H. Elmqvist, F. E. Cellier: Modeling of Multibody Systems with the Object-Oriented
  Modeling Language Dymola, section 6; numbers in parentheses are equations of that paper.

  A cut-frame is parallel to the inertial frame in the home position (all joint coordinates zero).
  Across variables of its cut: T, the direction cosines that turn a vector of the frame into the inertial
  frame; r, the position of its origin, resolved in the inertial frame; v = [angular; linear velocity]
  and a = [angular; linear acceleration], resolved in the cut-frame. Through: the factors I and b of
  the cut-force f = [torque; force] = I*a + b (14), which counts into the element. I is symmetric.

  Motion passes from cut a to cut b, I and b pass from b to a, then a and qdd from a to b: the
  equations of a tree are solved one by one, in a number of operations linear in the joints. Cut a of
  a joint or bar must be the one nearer to the inertial system. Loops are closed by forces, which
  require the solution of a linear system. }

@"mbssim/joints"
@"mbssim/closed"
@"mbssim/forces"
@"mbssim/drives"
@"multibody/parameters" with mbssim
@"multibody/motion" with mbssim
@"multibody/joints" with mbssim
@"multibody/forces" with mbssim
@"multibody/springs" with mbssim
@"multibody/loops" with mbssim
@"multibody/cut_joints" with mbssim
@"multibody/closed" with mbssim
@"multibody/closed_accelerations" with mbssim
@"multibody/drives" with mbssim
@"multibody/compound_joints" with mbssim
@"multibody/assemblies" with mbssim
@"multibody/shapes" with mbssim
@"multibody/beams" with mbssim
@"multibody/contact_laws" with mbssim
@"multibody/tires" with mbssim
@"multibody/collisions" with mbssim

cut class Frame (T(3,3)(unit="1", rotation), r(3)(unit="m"), v(6), a(6) / I(6,6)(symmetric), b(6)) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, ra, va, aa / Ia, ba)
end

model class (MbsChain) MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, ra, va, aa / Ia, ba), b (Tb, rb, vb, ab / Ib, bb)
end

model class (MbsOneCut, MbsAccelerated) Inertial "inertial system with homogeneous gravity"
end

model class (MbsTwoCut, MbsRelative) Interact
    "element that the motion of b relative to a describes; a subclass gives bTa, arab, bvab, baab, Ia and ba"
end

model class (Interact, MbsRigid) Rigid "element whose ends do not move relative to each other; a subclass gives T and r"
  { (14) for cut b substituted into (4h) }
  Ia = -C'*Ib*C
  ba = -C'*(bb + Ib*xi)
end

model class (MbsOneCut, MbsMoving) MbsRigidBody "rigid body"
  { (10), (11a), (11b); omega x J*omega is written with the products of omega that W contains too. }
  Ia = [J, m*skew(rCM); -m*skew(rCM), m*identity(3)]
  ba(1) = J(1,3)*W(1,2) - J(1,2)*W(1,3) + (J(3,3) - J(2,2))*W(2,3) + J(2,3)*(W(2,2) - W(3,3))
  ba(2) = J(1,2)*W(2,3) - J(2,3)*W(1,2) + (J(1,1) - J(3,3))*W(1,3) + J(1,3)*(W(3,3) - W(1,1))
  ba(3) = J(2,3)*W(1,3) - J(1,3)*W(2,3) + (J(2,2) - J(1,1))*W(1,2) + J(1,2)*(W(1,1) - W(2,2))
  ba(4..6) = W*(m*rCM)
end

model class (MbsOneCut) PointMass "mass in the origin of the cut-frame, without inertia"
  parameter m (unit="kg", min=0) "mass"
  Ia = [zeros(3,3), zeros(3,3); zeros(3,3), m*identity(3)]
  ba = 0
end

model class (MbsOneCut) MbsMarker "element with one mechanical cut that applies no force"
  Ia = 0
  ba = 0
end
