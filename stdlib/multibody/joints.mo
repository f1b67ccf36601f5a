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
  zeta = 0
end

model class (Joint, MbsDisplacementCut, MbsFactors) Prismatic "prismatic joint: b slides along the axis"
  { (6) }
  T = identity(3)
  r = n*q
  Phi = [zeros(3); n]
  zeta = 0
end

model class (Joint, MbsAngleCut, MbsFactors) Screw "screw joint: b turns about the axis and moves along it"
  parameter pitch (unit="m") "displacement along the axis for one turn"
  local h1 (unit="m/rad") "displacement for an angle of 1"
  h1 = pitch/6.283185307179586
  { (6) }
  T = n*n' + (identity(3) - n*n')*cos(q) - skew(n)*sin(q)
  r = h1*q*n
  Phi = [n; h1*n]
  zeta = 0
end

model class (MbsPose, MbsCoordinates, MbsMassTerms, MbsClosing) MbsJointN "joint of n degrees of freedom"
  submodel (MbsNoTurn) Mbs_apart if closing
  omega = va(1..3)
  if closing then
    Mbs_apart.E = Ta'*(Tb*T)
  else
    { (6) }
    bTa = T
    bvab = Phi*qd
    baab = Phi*qdd + zeta
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
