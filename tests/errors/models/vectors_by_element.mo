@mbs
model M
  submodel (Inertial) world(ng=[0, -1])
  submodel (Revolute) j1(axis=[0, 1, 0]), j2(n=[0, 0, 1], n3=-1), j3(n=1)
  submodel (Body) b1(m=1, I=[1, 0.2, 0; 0.1, 1, 0; 0, 0, 1]), b2(m=1, I=[1, 1, 1])
  connect world to j1 to j2 to j3 to b1, b2 at j2:b
end
