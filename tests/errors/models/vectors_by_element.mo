@mbs
model M
  submodel (Inertial) world(ng=[0,0,-1])
  submodel (Revolute) j1(axis=[0,1,0])
  submodel (Body) b1(m=1, r=[0,0,-0.5])
  connect world to j1 to b1
end
