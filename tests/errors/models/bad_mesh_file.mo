@mbssim

model M
  submodel (Inertial) world(ng3=-1)
  submodel (MeshShape) a(file=mesh("gone.stl")), b(file=mesh("../../secret.stl")), c(file=mesh("pump.csv")), d(file=mesh("cut.stl"))
  connect a at world:a, b at world:a, c at world:a, d at world:a
end
