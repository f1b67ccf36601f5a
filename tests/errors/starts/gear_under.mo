@rotational
model M "two inertias on a gear, without a start"
  submodel (FreeInertia) J1(J=1), J2(J=1)
  submodel (IdealGear) g(ratio=2)
  connect J1 to g to J2
end
