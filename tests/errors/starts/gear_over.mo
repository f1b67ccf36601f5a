@rotational
model M "two inertias on a gear, each with a speed of its own"
  submodel (Inertia) J1(J=1, w0=10), J2(J=1, w0=3)
  submodel (IdealGear) g(ratio=2)
  connect J1 to g to J2
end
