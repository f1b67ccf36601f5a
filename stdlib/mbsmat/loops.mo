{ Joints that close loops, as in multibody/loops.mo: a part of mbsmat.mo. The generalized forces of a joint are W*lambda, with its
  forces lambda; W'*qd = 0 are its conditions on velocities, so that W' is A in (N22) to (N24). The compiler solves the augmented
  system (N24) for qdd and lambda. }

@mbsmat

model class (MbsCutJoint) CutJoint "constraint between two cuts; a subclass gives the conditions and the force fa"
  constant (Integer) dofs = count("dof")
  local R(6, dofs) "R*qd is the velocity of b relative to a, [angular; linear], resolved in frame a"
  for i = 1..dofs do
    R(:, i) = [T'*Bb(1..3, i) - Ba(1..3, i); T'*Bb(4..6, i) - Ba(4..6, i) - cross(Ba(1..3, i), r)]
  endfor
end

model class (MbsCutSpherical) CutSpherical "spherical joint that closes a loop"
  terminal W(dofs, 3) "the generalized force is W*F"
  for i = 1..dofs do
    W(i, :) = -R(4..6, i)
  endfor
end

model class (MbsCutFixed) CutFixed "rigid connection that closes a loop: six constraints"
  terminal W(dofs, 6) "the generalized force is W*[F; tau]"
  for i = 1..dofs do
    W(i, :) = -[R(4..6, i); R(1..3, i)]
  endfor
end

model class (MbsCutRevolute) CutRevolute "revolute joint that closes a loop: five constraints"
  terminal W(dofs, 5) "the generalized force is W*[F; m1; m2]"
  for i = 1..dofs do
    W(i, :) = -[R(4..6, i); u'*R(1..3, i); v'*R(1..3, i)]
  endfor
end

model class (MbsPlanarCutRevolute) PlanarCutRevolute "revolute joint that closes a planar loop: two constraints"
  terminal W(dofs, 2) "the generalized force is W*[f1; f2]"
  for i = 1..dofs do
    W(i, :) = -[u'*R(4..6, i); v'*R(4..6, i)]
  endfor
end

model class (MbsCutUniversal) CutUniversal "universal joint that closes a loop: four constraints"
  terminal W(dofs, 4) "the generalized force is W*[F; m]"
  for i = 1..dofs do
    W(i, :) = -[R(4..6, i); cross(na, nb)'*R(1..3, i)]
  endfor
end

model class (MbsCutPrismatic) CutPrismatic "prismatic joint that closes a loop: five constraints"
  terminal W(dofs, 5) "the generalized force is W*[f1; f2; tau]"
  for i = 1..dofs do
    W(i, :) = -[u'*R(4..6, i); v'*R(4..6, i); R(1..3, i)]
  endfor
end

model class (MbsCutCylindrical) CutCylindrical "cylindrical joint that closes a loop: four constraints"
  terminal W(dofs, 4) "the generalized force is W*[f1; f2; m1; m2]"
  for i = 1..dofs do
    W(i, :) = -[u'*R(4..6, i); v'*R(4..6, i); u'*R(1..3, i); v'*R(1..3, i)]
  endfor
end

model class (MbsCutPlanar) CutPlanar "planar joint that closes a loop: three constraints"
  terminal W(dofs, 3) "the generalized force is W*[f; m1; m2]"
  for i = 1..dofs do
    W(i, :) = -[n'*R(4..6, i); u'*R(1..3, i); v'*R(1..3, i)]
  endfor
end

model class (MbsRodSphericalSpherical) RodSphericalSpherical
    "massless rod with a spherical joint at each end: one constraint"
  terminal W(dofs) "the generalized force is W*f"
  for i = 1..dofs do
    W(i) = -r'*R(4..6, i)/length
  endfor
end

model class (MbsRollingForce) MbsWheel
    "thin wheel that rolls on the plane z = 0; a subclass tells what happens along the axle"
  terminal W(count("dof"), 3) "the generalized force is W*f"
  for i = 1..count("dof") do
    W(i, :) = Ta*Ba(4..6, i) - cross(d, Ta*Ba(1..3, i))
  endfor
end

model class (Wrench, MbsVelocity) CutVelocity
    "nonholonomic constraint A*[w; v] = g on the motion of b relative to a; a subclass gives A and g"
  terminal W(count("dof"), conditions) "W'*qd = g; the generalized force is W*lambda"
  for i = 1..count("dof") do
    for k = 1..conditions do
      W(i, k) = A(k, :)'*[T'*Bb(1..3, i) - Ba(1..3, i);
                          T'*Bb(4..6, i) - Ba(4..6, i) - cross(Ba(1..3, i), r)]
    endfor
  endfor
end
