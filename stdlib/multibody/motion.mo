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

model class MbsMoving "rigid body that moves with frame a; a subclass gives m, r1 to r3 and I11 to I32"
  local rCM(3)(unit="m")
  local J(3,3)(unit="kg.m2", symmetric, private) "inertia tensor about the origin of the cut-frame"
  local W(3,3)(unit="rad2/s2", symmetric, private) "W*x = omega x (omega x x)"
  rCM = [r1, r2, r3]
  { (11c) }
  J = [I11, I21, I31; I21, I22, I32; I31, I32, I33] - m*skew(rCM)*skew(rCM)
  W = skew(va(1..3))*skew(va(1..3))
end

model class MbsPose "position of frame b relative to frame a; a subclass gives T and r"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local C(6,6)(private) "turns and moves v from a to b as in a rigid body"
  { (4b), solved for cut b; (5b) }
  rb = ra + Ta*r
  C = [T, zeros(3,3); -T*skew(r), T]
end

model class (MbsPose) MbsRelative "position that passes from frame a to frame b; a subclass gives T and r"
  { (4a), solved for cut b }
  Tb = Ta*T'
end

model class (MbsPose, MbsAxis, MbsClosing) MbsOneFreedom
    "motion of a joint of one degree of freedom"
  local n(3)(unit="1", private) "unit vector of the axis, in both frames"
  local Phi(6)(follows=[T(3,:)'*jacobian(T(2,:), q); T(1,:)'*jacobian(T(3,:), q);
                        T(2,:)'*jacobian(T(1,:), q); T*jacobian(r, q)])
        "Phi*qd is the velocity of b relative to a"
  local eta(6)(private,
               follows=jacobian(Phi, q)*qd^2 + [cross(T*va(1..3) + Phi(1..3)*qd, Phi(1..3)*qd);
                                                cross(2*T*va(1..3) + Phi(1..3)*qd, Phi(4..6)*qd) +
                                                T*cross(va(1..3), cross(va(1..3), r))])
        "acceleration of b in addition to those of a and of the joint"
  submodel (MbsAxisFrame) across(n1=n1, n2=n2, n3=n3) if closing
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  if closing then
    assert noevent(norm(T*n - n) < 1e-6),
        "a joint that does not turn about n cannot close a loop: give it closing=false"
    { (4a) is three conditions, the last of which determines the angle, within half a turn of its start value; (4f), (4g) }
    (Ta*across.u)'*(Tb*n) = 0
    (Ta*across.v)'*(Tb*n) = 0
    atan2((Ta*across.v)'*(Tb*(T*across.u)), (Ta*across.u)'*(Tb*(T*across.u))) = 0
    Phi'*Phi*qd = Phi'*(vb - C*va)
    Phi'*Phi*qdd = Phi'*(ab - C*aa - eta)
  else
    { (4a), solved for cut b; (4f) }
    Tb = Ta*T'
    qd = der(q)
    qdd = der(qd)
    vb = C*va + Phi*qd
  endif
end

model class MbsNoTurn "a rotation by no angle: three conditions, which no other one fulfills"
  terminal E(3,3)(unit="1") "direction cosines"
  [E(3,2) - E(2,3), E(1,3) - E(3,1), E(2,1) - E(1,2)]/(1 + E(1,1) + E(2,2) + E(3,3)) = 0
end

model class (MbsPose, MbsEulerParameters, MbsClosing) MbsBall
    "joint in which b turns freely. T = ((p4^2 - e'*e)*E + 2*e*e' - 2*p4*skew(e))/(p'*p): due to the quotient it is a rotation for any length of p, which no equation forces to be 1"
  local square (unit="1")
  submodel (MbsNoTurn) apart if closing
  square = p'*p
  T = ((2*p(4)^2 - square)*identity(3) + 2*e*e' - 2*p(4)*skew(e))/square
  if closing then
    { (4a), (4f), (4g), solved for the motion of the joint }
    apart.E = Ta'*(Tb*T)
    square = 1
    w = vb(1..3) - T*va(1..3)
    alpha = ab(1..3) - T*aa(1..3) - cross(vb(1..3), w)
  else
    Tb = Ta*T'
    der(p) = [p(4)*w + cross(e, w); -e'*w]/2
    der(w) = alpha
  endif
end

model class (MbsFreeStart) MbsFreeMotion
    "motion of b relative to a without a joint; a subclass gives the derivative of v"
  terminal x(3)(unit="m", start=x0) "from the origin of a to the origin of b, resolved in frame a"
  terminal v(3)(unit="m/s", start=v0) "its derivative"
  terminal f(3)(unit="N") "applied force on b in its origin, resolved in frame a"
  default f = zeros(3)
  r = x
  { (4f) }
  if closing then
    vb(4..6) = T*(va(4..6) + cross(va(1..3), r) + v)
  else
    der(x) = v
    vb = C*va + [w; T*v]
  endif
end
