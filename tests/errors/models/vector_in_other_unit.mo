@mbs
model M
  parameter d(3)(unit="kg") = [0.1, 0, -0.5]
  submodel (Inertial) world(ng=[0, 0, -1])
  submodel (Revolute) j1(n=[0, 1, 0])
  submodel (Bar) b1(r=d)
  submodel (PointMass) load(m=1)
  connect world to j1 to b1 to load
end
