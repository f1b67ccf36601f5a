{ The gains of a controller are numbers, but its terms have different units. }
@mbs

model Held
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) hip(n2=1)
  submodel (Body) m(m=1, r1=0.5)
  submodel (JointForce) d
  connect i to hip to m, d at hip:ext
  d.f = -60*(hip.q - 0.6) - 2*hip.qd
end
