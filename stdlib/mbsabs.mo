{ Multibody systems in absolute coordinates, any problem: direct, inverse, or mixed; trees and loops.

  A. S. Koh, J. P. Park: Object oriented dynamics simulator, Computational Mechanics 14 (1994), 277-287; numbers in
  parentheses are equations of that paper.

  A part is what moves as one rigid piece: all bodies, bars and other elements between joints. Its coordinates are the position of
  one frame, that at cut b of the joint which carries the part, and the four Euler parameters of this frame with (5). Joints are
  constraints between frames, made of points (25), planes (26) and perpendiculars (27), each with its multiplier, which is a force or
  a torque. All relations are those of positions and Euler parameters; the compiler differentiates them.

  A cut-frame is parallel to the inertial frame in the home position (all joint coordinates zero). Across variables of its cut: T,
  the direction cosines that turn a vector of the frame into the inertial frame (7); p, its Euler parameters (4); r, the position of
  its origin, resolved in the inertial frame; w, its angular velocity, resolved in the frame (9); g, the acceleration of gravity,
  resolved in the inertial frame. Through: f and tau, force and torque into the element, resolved in the inertial frame.

  The names are those of mbs.mo. Cut a of a joint must be the one nearer to the inertial system, as in mbssim.mo. }

@"mbsabs/constraints"
@"mbsabs/joints"
@"mbsabs/balls"
@"mbsabs/loops"
@"mbsabs/closed"
@"mbsabs/spatial"
@"mbsabs/forces"
@"mbsabs/sensors"
@"multibody/drive_lines" with mbsabs
@"multibody/drives" with mbsabs
@"multibody/assemblies" with mbsabs
@"multibody/shapes" with mbsabs
@"multibody/contact_laws"

cut class Frame (T(3,3)(unit="1"), p(4)(unit="1"), r(3)(unit="m"), w(3)(unit="rad/s"),
                 g(3)(unit="m/s2") / f(3)(unit="N"), tau(3)(unit="N.m")) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, pa, ra, wa, ga / fa, taua)
end

model class MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, pa, ra, wa, ga / fa, taua), b (Tb, pb, rb, wb, gb / fb, taub)
  main cut c [a, b]
  main path p <a - b>
end

model class (MbsTwoCut) Interact "massless element: the forces and the torques at its cuts are in balance"
  fa + fb = 0
  taua + taub + cross(rb - ra, fb) = 0
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
  pa = [0, 0, 0, 1]
  ra = 0
  wa = 0
  ga = g*ng/max(norm(ng), 1e-12)
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
  local c(3)(unit="m") "from the origin of the cut-frame to the center of mass, resolved in the inertial frame"
  local Jc(3,3)(unit="kg.m2", symmetric) "inertia tensor about the center of mass, in the frame"
  local x(3)(unit="m", state=avoid),
        v(3)(unit="m/s", state=avoid) "position of the center of mass and its derivative"
  Jc = [I11, I21, I31; I21, I22, I32; I31, I32, I33]
  c = Ta*[r1, r2, r3]
  x = ra + c
  v = der(x)
  { Newton's and Euler's laws, with (16) }
  fa = m*(der(v) - ga)
  taua = Ta*(Jc*der(wa) + cross(wa, Jc*wa)) + cross(c, fa)
end

model class (MbsOneCut) PointMass "mass in the origin of the cut-frame, without inertia"
  parameter m (unit="kg", min=0) "mass"
  local x(3)(unit="m", state=avoid), v(3)(unit="m/s", state=avoid) "position and its derivative"
  x = ra
  v = der(x)
  fa = m*(der(v) - ga)
  taua = 0
end

{ --- rigid connections --- }

model class (Interact) Bar "massless rigid bar"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  Tb = Ta
  pb = pa
  rb = ra + Ta*[r1, r2, r3]
  wb = wa
  gb = ga
end

model class (Interact) Fixed "massless rigid connection: frame b is turned and displaced relative to frame a"
  parameter n1 (unit="1") = 0 "axis about which frame b is turned, 1"
  parameter n2 (unit="1") = 0 "axis, 2"
  parameter n3 (unit="1") = if n1 == 0 and n2 == 0 then 1 else 0 "axis, 3; without any direction it is axis 3"
  parameter angle (unit="rad") = 0 "angle of the rotation"
  parameter r1 (unit="m") = 0 "from the origin of a to the origin of b, resolved in frame a, 1"
  parameter r2 (unit="m") = 0 "from a to b, 2"
  parameter r3 (unit="m") = 0 "from a to b, 3"
  local n(3)(unit="1"),
        R(3,3)(unit="1") "unit vector of the axis; direction cosines from frame b to frame a"
  assert norm([n1, n2, n3]) > 0, "the axis has no direction: one of n1, n2, n3 must not be zero"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  R = n*n' + (identity(3) - n*n')*cos(angle) + skew(n)*sin(angle)
  Tb = Ta*R
  pb = [pa(4)*n*sin(angle/2) + cos(angle/2)*pa(1..3) + cross(pa(1..3), n)*sin(angle/2);
        pa(4)*cos(angle/2) - pa(1..3)'*n*sin(angle/2)]
  rb = ra + Ta*[r1, r2, r3]
  wa = R*wb
  gb = ga
end

model class (MbsOneCut) MbsMarker "element with one mechanical cut that applies no force"
  fa = 0
  taua = 0
end
