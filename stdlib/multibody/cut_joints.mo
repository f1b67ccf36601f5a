{ Joints that close loops, as their equations in multibody/loops.mo are: a part of mbs.mo and mbssim.mo. In mbssim I = 0 in (14), and b is
  their force: a loop is a tree with forces at two of its cuts, and these follow from the linear system of the constraints on
  accelerations, with as many unknowns as constraints. }

@mbs

model class (MbsCutJoint) CutJoint "constraint between two cuts; a subclass gives the conditions and the force fa"
end

model class (MbsCutSpherical) CutSpherical "spherical joint that closes a loop"
end

model class (MbsCutFixed) CutFixed "rigid connection that closes a loop: six constraints"
end

model class (MbsCutRevolute) CutRevolute "revolute joint that closes a loop: five constraints"
end

model class (MbsPlanarCutRevolute) PlanarCutRevolute "revolute joint that closes a planar loop: two constraints"
end

model class (MbsCutUniversal) CutUniversal "universal joint that closes a loop: four constraints"
end

model class (MbsCutPrismatic) CutPrismatic "prismatic joint that closes a loop: five constraints"
end

model class (MbsCutCylindrical) CutCylindrical "cylindrical joint that closes a loop: four constraints"
end

model class (MbsCutPlanar) CutPlanar "planar joint that closes a loop: three constraints"
end

model class (MbsRodSphericalSpherical) RodSphericalSpherical
    "massless rod with a spherical joint at each end: one constraint"
end

model class (MbsRollingForce) MbsWheel
    "thin wheel that rolls on the plane z = 0; a subclass tells what happens along the axle"
end

model class (Wrench, MbsVelocity) CutVelocity
    "nonholonomic constraint A*[w; v] = g on the motion of b relative to a; a subclass gives A and g"
end
