{ Joints that close loops: a part of mbsabs.mo. They have no coordinates but constraints, as those of trees, whose forces are the
  multipliers. }

@mbsabs

model class (Assembly) CutJoint "constraints between two cuts"
end

model class (CutPoint) CutSpherical "spherical joint that closes a loop"
end

model class (CutJoint) CutFixed "rigid connection that closes a loop: six constraints"
  submodel (CutPoint) point
  submodel (CutPerpendicular) uv(na1=1, nb2=1), vn(na2=1, nb3=1), nu(na3=1, nb1=1)
  connect point at (a, b), uv at (a, b), vn at (a, b), nu at (a, b)
end

model class (CutJoint, MbsAxis, MbsDirections) CutRevolute "revolute joint that closes a loop: five constraints"
  submodel (CutPoint) point
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect point at (a, b), nu at (a, b), nv at (a, b)
end

model class (CutJoint, MbsNormal, MbsDirections) PlanarCutRevolute
    "revolute joint that closes a planar loop: two constraints"
  submodel (CutPlane) across(n=u), above(n=v)
  connect across at (a, b), above at (a, b)
end

model class (CutJoint, MbsCutUniversalAxes) CutUniversal "universal joint that closes a loop: four constraints"
  submodel (CutPoint) point
  submodel (CutPerpendicular) cross(na1=na1, na2=na2, na3=na3, nb1=nb1, nb2=nb2, nb3=nb3)
  connect point at (a, b), cross at (a, b)
end

model class (CutJoint, MbsAxis, MbsDirections) CutPrismatic "prismatic joint that closes a loop: five constraints"
  submodel (CutPlane) across(n=u), above(n=v)
  submodel (CutPerpendicular) uv(na=u, nb=v), vn(na=v, nb=axis), nu(na=axis, nb=u)
  connect across at (a, b), above at (a, b), uv at (a, b), vn at (a, b), nu at (a, b)
end

model class (CutJoint, MbsAxis, MbsDirections) CutCylindrical "cylindrical joint that closes a loop: four constraints"
  submodel (CutPlane) across(n=u), above(n=v)
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect across at (a, b), above at (a, b), nu at (a, b), nv at (a, b)
end

model class (CutJoint, MbsNormal, MbsDirections) CutPlanar "planar joint that closes a loop: three constraints"
  submodel (CutPlane) plane(n=axis)
  submodel (CutPerpendicular) nu(na=u, nb=axis), nv(na=v, nb=axis)
  connect plane at (a, b), nu at (a, b), nv at (a, b)
end

model class (Interact) RodSphericalSpherical "massless rod with a spherical joint at each end: one constraint"
  parameter length (unit="m", min=1e-300) "distance of the origins"
  terminal f (unit="N") "force along the rod; f > 0 pulls the ends together"
  (rb - ra)'*(rb - ra) = length^2
  fb = f/length*(rb - ra)
  taub = 0
end

model class (MbsOneCut, MbsRolling) MbsWheel
    "thin wheel that rolls on the plane z = 0; a subclass tells what happens along the axle"
  local x(3)(unit="m", state=avoid) "position of the center"
  x = ra
  slip = der(x) + cross(Ta*wa, d)
  fa = -f
  taua = -cross(d, f)
end

model class (Wrench, MbsVelocity) CutVelocity
    "nonholonomic constraint A*[w; v] = g on the motion of b relative to a; a subclass gives A and g"
end
