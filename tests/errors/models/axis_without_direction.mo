@mbssim

model Door
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) hinge
  submodel (Planar) plane(n3=1)
  submodel (Body) leaf(m=-20, r1=0.4, I33=1)
  connect i to hinge to leaf
end
