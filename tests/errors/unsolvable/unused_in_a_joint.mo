{ A variable of one's own that is in no equation, in a class below a joint. }
@mbs

model class (Revolute) Mine
  local av(3)
end

model UnusedInAJoint
  submodel (Inertial) i(ng3 = -1)
  submodel (Mine) u(n2 = 1)
  submodel (Body) m(m = 2, r1 = 0.3, I11 = 0.1, I22 = 0.1, I33 = 0.1)
  connect i to u to m
end
