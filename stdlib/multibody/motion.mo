{ Motion of frames: a part of mbs.mo, mbssim.mo and mbsmat.mo, of which the numbers in parentheses are equations. A class here is a
  superclass next to one of the formulation. }

@mbs

model class (MbsGravity) MbsAccelerated "frame that does not move"
  Ta = identity(3)
  ra = 0
  va = 0
  { Accelerated against gravity, so that bodies need not know gravity. }
  aa = [zeros(3); -g*ng/max(norm(ng), 1e-12)]
end

model class (MbsInertia) MbsMoving "rigid body that moves with frame a"
  local rCM(3)(unit="m")
  local J(3,3)(unit="kg.m2", symmetric) "inertia tensor about the origin of the cut-frame"
  local W(3,3)(unit="rad2/s2", symmetric) "W*x = omega x (omega x x)"
  rCM = [r1, r2, r3]
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
end

model class MbsRelative "position of frame b relative to frame a; a subclass gives T and r"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local C(6,6)(private) "turns and moves v from a to b as in a rigid body"
  { (4a) and (4b), solved for cut b; (5b) }
  Tb = Ta*T'
  rb = ra + Ta*r
  C = [T, zeros(3,3); -T*skew(r), T]
end

model class (MbsAxis) MbsOneFreedom "motion of a joint of one degree of freedom; a subclass gives Phi and eta"
  local n(3)(unit="1") "unit vector of the axis, in both frames"
  local Phi(6) "Phi*qd is the velocity of b relative to a"
  local eta(6) "acceleration of b in addition to those of a and of the joint"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  qd = der(q)
  qdd = der(qd)
  { (4f) }
  vb = C*va + Phi*qd
end

model class (MbsEulerParameters) MbsBall
    "joint in which b turns freely. T = ((p4^2 - e'*e)*E + 2*e*e' - 2*p4*skew(e))/(p'*p): due to the quotient it is a rotation for any length of p, which no equation forces to be 1"
  local square (unit="1")
  square = p'*p
  T = ((2*p(4)^2 - square)*identity(3) + 2*e*e' - 2*p(4)*skew(e))/square
  der(w) = alpha
end

model class (MbsFreeStart) MbsFreeMotion
    "motion of b relative to a without a joint; a subclass gives the derivative of v"
  terminal x(3)(unit="m", start=x0) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", start=v0) "its derivative"
  terminal f(3)(unit="N") "applied force on b in its origin, resolved in frame a"
  default f = zeros(3)
  r = x
  der(x) = v
  { (4f) }
  vb = C*va + [w; T*v]
end
