{ The gains of a controller are numbers, which take units, but one number cannot take two. }
@mbs

model Held
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) hip(n2=1)
  submodel (Body) m(m=1, r1=0.5)
  submodel (JointForce) d
  connect i to hip to m, d at hip:ext
  d.f = -60*(hip.q - 0.6 + hip.qd)
end
