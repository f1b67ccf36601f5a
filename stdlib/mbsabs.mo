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
@"multibody/parameters" with mbsabs
@"multibody/drive_lines" with mbsabs
@"multibody/springs" with mbsabs
@"multibody/drives" with mbsabs
@"multibody/assemblies" with mbsabs
@"multibody/shapes" with mbsabs
@"multibody/beams" with mbsabs
@"multibody/contact_laws" with mbsabs
@"multibody/tires" with mbsabs
@"multibody/collisions" with mbsabs

cut class Frame (T(3,3)(unit="1"), p(4)(unit="1"), r(3)(unit="m"), w(3)(unit="rad/s"),
                 g(3)(unit="m/s2") / f(3)(unit="N"), tau(3)(unit="N.m")) "cut-frame"

model class MbsOneCut "element with one mechanical cut"
  main cut (Frame) a (Ta, pa, ra, wa, ga / fa, taua)
end

model class (MbsChain) MbsTwoCut "element with two mechanical cuts"
  cut (Frame) a (Ta, pa, ra, wa, ga / fa, taua), b (Tb, pb, rb, wb, gb / fb, taub)
end

model class (MbsTwoCut) Interact "massless element: the forces and the torques at its cuts are in balance"
  fa + fb = 0
  taua + taub + cross(rb - ra, fb) = 0
end

{ --- elements with one cut --- }

model class (MbsOneCut, MbsGravity) Inertial "inertial system with homogeneous gravity"
  Ta = identity(3)
  pa = [0, 0, 0, 1]
  ra = 0
  wa = 0
  ga = g*ng/max(norm(ng), 1e-12)
end

model class (MbsOneCut) MbsRigidBody "rigid body; a subclass gives m, r1 to r3 and I11 to I32"
  local c(3)(unit="m", private) "from the origin of the cut-frame to the center of mass, resolved in the inertial frame"
  local Jc(3,3)(unit="kg.m2", symmetric) "inertia tensor about the center of mass, in the frame"
  local x(3)(unit="m", state=avoid, private),
        v(3)(unit="m/s", state=avoid, private) "position of the center of mass and its derivative"
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
  local x(3)(unit="m", state=avoid, private), v(3)(unit="m/s", state=avoid, private) "position and its derivative"
  x = ra
  v = der(x)
  fa = m*(der(v) - ga)
  taua = 0
end

{ --- rigid connections --- }

model class (Interact, MbsOffset) Bar "massless rigid bar"
  Tb = Ta
  pb = pa
  rb = ra + Ta*[r1, r2, r3]
  wb = wa
  gb = ga
end

model class (Interact, MbsPlacement) Fixed
    "massless rigid connection: frame b is turned and displaced relative to frame a"
  local n(3)(unit="1", private),
        R(3,3)(unit="1", private) "unit vector of the axis; direction cosines from frame b to frame a"
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
