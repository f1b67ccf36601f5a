{ Two arms on one drive: both angles and that of the drive are wanted as states. }

@mbssim
model class Drive
  cut a (q1(state=always), v1, a1 / u1), b (q2(state=always), v2, a2 / u2)
  main cut both [a, b]
  local phi(state=always), t1, t2
  parameter J = 2
  J*der(phi, 2) = -t1 - t2
  u1 = -4*t1
  u2 = -2*t2
  phi = 4*q1
  phi = 2*q2
end
model Arms
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) r1(n2=1), r2(n2=1)
  submodel (Body) m1(m=1, r3=0.25), m2(m=1, r3=0.2)
  submodel (Bar) b(r1=1)
  submodel (Drive) drive
  connect i to r1 to m1, i to b to r2 to m2, r1:ext at drive:a, r2:ext at drive:b
end
