{ Joints that close loops: a part of mbs.mo, mbssim.mo and mbsmat.mo. They have no coordinates but constraints, whose forces are
  unknown: equations (13) of the paper. The compiler differentiates the constraints and chooses the joint coordinates that are states,
  unless the model does so (attribute state). If a loop constrains the Euler parameters of Spherical or Free, their states are selected
  dynamically during the run, so a joint of this file may hold a free body. FreeCardan does the same with angles instead of Euler
  parameters. }

@mbs

model class (Force) MbsCutJoint "constraint between two cuts; a subclass gives the conditions and the force fa"
  local T(3,3)(unit="1") "direction cosines from frame a to frame b"
  local r(3)(unit="m") "from the origin of a to the origin of b, resolved in frame a"
  local F(3)(unit="N"),
        tau(3)(unit="N.m") "force and torque into the element at cut b, resolved in frame a"
  { (4a), (4b) }
  T = Tb'*Ta
  r = Ta'*(rb - ra)
  fb = [T*tau; T*F]
end

model class (CutJoint) CutPoint "the origins of a and b stay together"
  { (4h) for r = 0 }
  fa = -[tau; F]
  rb = ra
end

model class MbsAcross "directions across an axis or a normal"
  local n(3)(unit="1"), w(3)(unit="1"), u(3)(unit="1"),
        v(3)(unit="1") "u and v are perpendicular to n"
  n = [n1, n2, n3]/max(norm([n1, n2, n3]), 1e-300)
  w = if n1 == 0 and n2 == 0 then [1, 0, 0] else [n2, -n1, 0]
  u = w/norm(w)
  v = cross(n, u)
end

model class (MbsAcross) MbsAlongAxis "the origin of b stays on the axis of a"
  local f1 (unit="N"), f2 (unit="N") "forces along u and v"
  u'*r = 0
  v'*r = 0
  F = u*f1 + v*f2
end

model class (MbsAcross) MbsParallelAxes "the axis of b stays perpendicular to u and v of a"
  local m1 (unit="N.m"), m2 (unit="N.m") "torques about u and v"
  u'*(T'*n) = 0
  v'*(T'*n) = 0
  tau = u*m1 + v*m2
end

model class (CutPoint) MbsCutSpherical "spherical joint that closes a loop"
  tau = 0
end

model class (CutPoint) MbsCutFixed "rigid connection that closes a loop: six constraints"
  T(2,1) = 0
  T(3,2) = 0
  T(1,3) = 0
end

model class (CutPoint, MbsAxis, MbsParallelAxes) MbsCutRevolute
    "revolute joint that closes a loop: five constraints"
end

model class (CutJoint, MbsNormal, MbsAlongAxis) MbsPlanarCutRevolute
    "revolute joint that closes a planar loop: two constraints"
  tau = 0
  fa = -[tau; F]
end

model class (CutPoint, MbsCutUniversalAxes) MbsCutUniversal "universal joint that closes a loop: four constraints"
  local na(3)(unit="1"), nb(3)(unit="1") "unit vectors of the axes, that of b resolved in a"
  local m (unit="N.m") "torque about the normal of both axes"
  assert norm([na1, na2, na3]) > 0,
      "the first axis has no direction: one of na1, na2, na3 must not be zero"
  assert norm([nb1, nb2, nb3]) > 0,
      "the second axis has no direction: one of nb1, nb2, nb3 must not be zero"
  na = [na1, na2, na3]/max(norm([na1, na2, na3]), 1e-300)
  nb = T'*([nb1, nb2, nb3]/max(norm([nb1, nb2, nb3]), 1e-300))
  na'*nb = 0
  tau = cross(na, nb)*m
end

model class (CutJoint, MbsAxis, MbsAlongAxis) MbsCutPrismatic "prismatic joint that closes a loop: five constraints"
  { No relative rotation. }
  u'*(T'*v) = 0
  v'*(T'*n) = 0
  n'*(T'*u) = 0
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint, MbsAxis, MbsAlongAxis, MbsParallelAxes) MbsCutCylindrical
    "cylindrical joint that closes a loop: four constraints"
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint, MbsNormal, MbsParallelAxes) MbsCutPlanar "planar joint that closes a loop: three constraints"
  local f (unit="N") "force along the normal"
  n'*r = 0
  F = n*f
  { (4h) }
  fa = -[tau + cross(r, F); F]
end

model class (CutJoint) MbsRodSphericalSpherical "massless rod with a spherical joint at each end: one constraint"
  parameter length (unit="m", min=1e-300) "distance of the origins"
  terminal f (unit="N") "force along the rod; f > 0 pulls the ends together"
  r'*r = length^2
  F = f/length*r
  tau = 0
  fa = -[zeros(3); F]
end

model class (MbsLoad, MbsRolling) MbsRollingForce "wheel and its force"
  slip = Ta*va(4..6) + cross(Ta*va(1..3), d)
  fa = -[Ta'*cross(d, f); Ta'*f]
end
