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

model class MbsRelative "motion of frame b relative to frame a, resolved in either, as the paper prints it"
  local bTa(3,3)(unit="1", private) "direction cosines from frame a to frame b"
  local arab(3)(unit="m", private),
        brab(3)(unit="m", private) "from the origin of a to the origin of b"
  local avab(6)(private), bvab(6)(private) "velocity of b relative to a"
  local aaab(6)(private), baab(6)(private) "its acceleration"
  local C(6,6)(private) "turns and moves v from a to b as in a rigid body"
  local xi(6)(private) "acceleration of b in addition to those of a and relative to a"
  { (4a) to (4g), (5b), (5c) }
  bTa = Tb'*Ta
  arab = Ta'*(rb - ra)
  avab = [bTa', zeros(3,3); zeros(3,3), bTa']*bvab
  aaab = [bTa', zeros(3,3); zeros(3,3), bTa']*baab
  brab = Tb'*(rb - ra)
  bvab = vb - C*va
  baab = ab - C*aa - xi
  C = [bTa, zeros(3,3); zeros(3,3), bTa]*[identity(3), zeros(3,3); -skew(arab), identity(3)]
  xi = [cross(bTa*va(1..3), bvab(1..3));
        bTa*(skew(va(1..3))*skew(va(1..3))*arab + 2*cross(va(1..3), avab(4..6)))]
end

model class (MbsRelative) MbsPose "position of frame b relative to frame a; a subclass gives T and r"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  arab = r
end

model class (MbsPose) MbsRigid "frames that do not move relative to each other; a subclass gives T and r"
  bTa = T
  bvab = 0
  baab = 0
end

model class (MbsPose, MbsAxis, MbsClosing) MbsOneFreedom
    "motion of a joint of one degree of freedom"
  local n(3)(unit="1", private) "unit vector of the axis, in both frames"
  local Phi(6)(follows=[T(3,:)'*jacobian(T(2,:), q); T(1,:)'*jacobian(T(3,:), q);
                        T(2,:)'*jacobian(T(1,:), q); T*jacobian(r, q)])
        "Phi*qd is the velocity of b relative to a"
  local zeta(6)(private,
                follows=jacobian(Phi, q)*qd^2 + [zeros(3); cross(Phi(1..3)*qd, Phi(4..6)*qd)])
        "Phi*qdd + zeta is the acceleration of b as seen from a"
  submodel (MbsAxisFrame) across(n1=n1, n2=n2, n3=n3) if closing
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  if closing then
    assert noevent(norm(T*n - n) < 1e-6),
        "a joint that does not turn about n cannot close a loop: give it closing=false"
    { (6) is three conditions, the last of which determines the angle, within half a turn of its start value. }
    (Ta*across.u)'*(Tb*n) = 0
    (Ta*across.v)'*(Tb*n) = 0
    atan2((Ta*across.v)'*(Tb*(T*across.u)), (Ta*across.u)'*(Tb*(T*across.u))) = 0
    Phi'*Phi*qd = Phi'*bvab
    Phi'*Phi*qdd = Phi'*(baab - zeta)
  else
    { (6) }
    bTa = T
    qd = der(q)
    qdd = der(qd)
    bvab = Phi*qd
    baab = Phi*qdd + zeta
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
    w = bvab(1..3)
    alpha = baab(1..3)
  else
    bTa = T
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
  if closing then
    bvab(4..6) = T*v
  else
    der(x) = v
    bvab = [w; T*v]
  endif
end
