{ A car as a single track: the tires of an axle are one, and the body does not roll. The rear wheel turns at a given speed, the front
  wheel is steered. In steady cornering the yaw rate is that of the linear theory (P. Riekert, T. E. Schunck, 1940), `yaw`, since the
  angles are small. It works with all multibody libraries. }

@mbs

model SingleTrack
  parameter m (unit="kg") = 1200, g (unit="m/s2") = 9.81
  parameter lf (unit="m") = 1.2, lr (unit="m") = 1.4,
            l (unit="m") = lf + lr "from the center of mass to the axles; wheelbase"
  parameter cf (unit="N/rad") = 90 kN/rad, cr (unit="N/rad") = 110 kN/rad "cornering stiffness of the axles"
  parameter v (unit="m/s", display="km/h") = 72 km/h, delta (unit="rad") = 0.01 "speed and steering angle"
  parameter radius (unit="m") = 0.3, stiff (unit="N/m") = 400 kN/m
  parameter yaw (unit="rad/s") = v*delta/(l + m*v^2/l*(lr/cf - lf/cr)) "steady yaw rate"
  submodel (Inertial) world(ng=[0, 0, -1], g=g)
  submodel (Planar) plane(n=[0, 0, 1], nx=[1, 0, 0], qd01=v)
  submodel (Prismatic) heave(n=[0, 0, 1], q0=radius - m*g/stiff)
  submodel (Revolute) pitch(n=[0, 1, 0])
  submodel (Body) body(m=m, r=[0, 0, 0.2], I=diagonal([500, 1800, 1900]))
  submodel (Bar) front(r=[lf, 0, 0]), rear(r=[-lr, 0, 0])
  submodel (Revolute) steer(n=[0, 0, 1], q0=delta)
  submodel (Revolute) spin(2)(n=[0, 1, 0], qd0=v/radius)
  submodel (Body) wheel(2)(m=0, I=diagonal([0.5, 1, 0.5]))
  submodel (LinearTire) tire1(radius=radius, c=stiff*lr/l, d=5 kN.s/m, c_kappa=150 kN, c_alpha=cf)
  submodel (LinearTire) tire2(radius=radius, c=stiff*lf/l, d=5 kN.s/m, c_kappa=150 kN, c_alpha=cr)
  submodel (Motion) turn(q_ref=delta), drive(q_ref=v/radius*time)
  connect world to plane to heave to pitch to body, front:a at pitch:b, front:b to steer to spin(1),
          rear:a at pitch:b, rear:b to spin(2), wheel(:) at spin(:):b,
          turn at steer:ext, drive at spin(2):ext, tire1 at (world, spin(1):b),
          tire2 at (world, spin(2):b)
end
