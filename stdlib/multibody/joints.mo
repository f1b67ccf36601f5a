{ Joints of trees and rigid connections: a part of mbs.mo, mbssim.mo and mbsmat.mo, of which the numbers in parentheses are
  equations. The coordinates of joints are states, unless something else determines them. }

@mbs

model class (Rigid, MbsOffset) Bar "massless rigid bar"
  T = identity(3)
  r = [r1, r2, r3]
end

model class (Rigid, MbsPlacement) Fixed "massless rigid connection: frame b is turned and displaced relative to frame a"
  local n(3)(unit="1", private)
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(angle) - skew(n)*sin(angle)
  r = [r1, r2, r3]
end

model class (Joint, MbsAngleCut, MbsTurnFactors) Revolute "revolute joint: b turns about the axis"
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = 0
  Phi = [n; zeros(3)]
  { (17c), (5c) for v_ab = 0, resolved in frame b }
  eta = [cross(vb(1..3), n*qd); zeros(3)]
end

model class (Joint, MbsDisplacementCut, MbsFactors) Prismatic "prismatic joint: b slides along the axis"
  { (6) }
  T = identity(3)
  r = n*q
  Phi = [zeros(3); n]
  { (17c), (5c) }
  eta = [zeros(3); cross(va(1..3), cross(va(1..3), r) + 2*qd*n)]
end

model class (Joint, MbsAngleCut, MbsFactors) Screw "screw joint: b turns about the axis and moves along it"
  parameter pitch (unit="m") "displacement along the axis for one turn"
  local h1 (unit="m/rad") "displacement for an angle of 1"
  h1 = pitch/6.283185307179586
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = h1*q*n
  Phi = [n; h1*n]
  { (17c), (5c), in frame b }
  eta = [cross(vb(1..3), n*qd); T*cross(va(1..3), cross(va(1..3), r) + 2*h1*qd*n)]
end

model class (MbsPose, MbsCoordinates, MbsMassTerms, MbsClosing) MbsJointN "joint of n degrees of freedom"
  local w(3)(unit="rad/s", private),
        v(3)(unit="m/s", private) "velocity of b relative to a, resolved in frame b"
  local eta(6)(private) "acceleration of b in addition to those of a and of the coordinates"
  submodel (MbsNoTurn) apart if closing
  { (6), (17c) with (5c), (4f) }
  [w; v] = Phi*qd
  omega = va(1..3)
  eta = zeta + [cross(T*va(1..3), w);
                T*cross(va(1..3), cross(va(1..3), r)) + 2*cross(T*va(1..3), v)]
  if closing then
    apart.E = Ta'*(Tb*T)
  else
    Tb = Ta*T'
    vb = C*va + [w; v]
  endif
end

model class (FlexibleBody) JointN
    "joint of n degrees of freedom; a subclass gives T and r as functions of q"
  Irr = 0
  Irq = 0
  Iqq = 0
  br = 0
  bq = 0
end
