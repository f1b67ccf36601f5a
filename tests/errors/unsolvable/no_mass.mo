@mbssim

model NoMass
  submodel (Inertial) i(ng2 = -1)
  submodel (Revolute) r(n3 = 1)
  submodel (Bar) b(r1 = 1)
  connect i to r to b
end
