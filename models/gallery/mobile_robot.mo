{ A mobile robot: a body on an axle with two wheels that roll without sliding, and a motor at each wheel. A controller
  drives it along a circle. }

@mbssim

model MobileRobot "two driven wheels follow a circle"
  parameter radius (unit="m") = 0.1, track (unit="m") = 0.4 "of the wheels, between the wheels"
  parameter size (unit="m") = 1, speed (unit="m/s") = 0.5 "radius of the circle, speed along it"
  parameter k1 (unit="1/s") = 0.5, k2 (unit="1/m2") = 8,
            k3 (unit="1/m") = 4 "gains of the controller"
  parameter kw (unit="N.m.s/rad") = 0.1 "gain of the speeds of the wheels"
  submodel (Inertial) world(ng3=-1)
  submodel (FreeCardan) pose(q01=1.1, q02=-0.3, q06=1.2)
  submodel (WheelSet) axle(radius=radius, track=track)
  submodel (Body) body(m=8, r3=-0.05, I11=0.2, I22=0.2, I33=0.3),
                  wheel(2)(m=0.5, I11=0.0013, I22=0.0025, I33=0.0013)
  submodel (JointForce) motor(2)
  submodel (AbsoluteSensor) place
  submodel (FixedShape) tire(2)(solid=Solid.Cylinder, length=0.04, width=2*radius, r2=-0.02, n2=1),
                        box(length=0.4, width=0.3, height=0.1, r1=-0.2, r3=0.02, w2=1)
  local x (unit="m"), y (unit="m"), h (unit="rad") "of the robot"
  local xr (unit="m"), yr (unit="m"), hr (unit="rad") "point and direction of the path"
  local ex (unit="m"), ey (unit="m"),
        eh (unit="rad") "errors along the robot, across it, of its direction"
  local v (unit="m/s"), w (unit="rad/s") "commanded speed, angular velocity"
  connect world to pose to body, axle at pose:b, place at pose:b, wheel(1) at axle:wheel1,
          wheel(2) at axle:wheel2, tire(1) at axle:wheel1, tire(2) at axle:wheel2, box at pose:b,
          motor(1) at axle:ext1, motor(2) at axle:ext2
  xr = size*cos(speed/size*time)
  yr = size*sin(speed/size*time)
  hr = speed/size*time + 90 deg
  ex = cos(h)*(xr - x) + sin(h)*(yr - y)
  ey = -sin(h)*(xr - x) + cos(h)*(yr - y)
  eh = hr - h
  v = speed*cos(eh) + k1*ex
  w = speed/size + speed*(k2*ey + k3*sin(eh))
  [x, y] = place.r(1..2)
  h = atan2(place.T(2,1), place.T(1,1))
  motor.f = kw*([v - w*track/2, v + w*track/2]/radius - motor.qd)
  experiment (stop=40, points=801)
end
