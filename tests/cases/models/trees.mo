{ Multibody systems without loops, after examples of the Modelica Standard Library 4.0 (Mechanics.MultiBody.Examples), and a pendulum
  of the benchmarks of the IFToMM. }

@mbssim

model Pendulum "Elementary.Pendulum"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) rev(n3=1)
  submodel (JointDamper) damper(d=0.1)
  submodel (Body) body(m=1, r1=0.5, I11=0.001, I22=0.001, I33=0.001)
  connect i to rev to body, damper at rev:ext
end

model DoublePendulum "Elementary.DoublePendulum"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) j1(n3=1), j2(n3=1)
  submodel (JointDamper) damper(d=0.1)
  submodel (BodyBox) box1(r1=0.5, w2=1, width=0.06, height=0.06),
                     box2(r1=0.5, w2=1, width=0.06, height=0.06)
  connect i to j1 to box1 to j2 to box2, damper at j1:ext
end

model SpringMassSystem "Elementary.SpringMassSystem: one mass on a spring at its joint, one on a spring in space"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Bar) bar1(r1=0.3), bar2(r1=0.3)
  submodel (Prismatic) p1(n2=-1, q0=0.1), p2(n2=-1, q0=0.1)
  submodel (PointMass) body1(m=1), body2(m=1)
  submodel (JointSpring) spring1(c=30, q_rest=0.1)
  submodel (Spring) spring2(c=30, s0=0.1)
  connect i to bar1 to bar2, bar1 to p1 to body1, bar2 to p2 to body2, spring1 at p1:ext,
          spring2 at (bar2:b, p2:b)
end

model class Satellite "point mass that flies around the center"
  parameter x (unit="m") = 0, y (unit="m") = 0, vx (unit="m/s") = 0 "at the start"
  submodel (Prismatic) px(n1=1, q0=x, qd0=vx), py(n2=1, q0=y), pz(n3=1)
  submodel (PointMass) mass(m=1)
  submodel (PointGravity) gravity(mu=1, m=1)
  cut a, b
  main path p <a - b>
  connect a to px to py to pz to b, mass at pz:b, gravity at pz:b
end

model PointGravityWithPointMasses "Elementary.PointGravityWithPointMasses: two alone, two tied by a spring"
  submodel (Inertial) i
  submodel (Satellite) body1(y=0.6, vx=1), body2(x=0.6, y=0.6, vx=0.6), body3(y=0.8, vx=0.6),
                       body4(x=0.3, y=0.8, vx=0.6)
  submodel (Spring) spring(c=10)
  connect i to body1, i to body2, i to body3, i to body4, spring at (body3:b, body4:b)
end

model ActuatedDrive "Rotational3DEffects.ActuatedDrive: a wheel turned by a torque of the world, a rotor by one at its joint"
  submodel (Inertial) i
  submodel (Revolute) revolute(n1=1), shaft(n1=1)
  submodel (Body) wheel(I11=2)
  submodel (WorldTorque) torque
  submodel (Rotor) rotor(J=2)
  submodel (JointForce) drive
  parameter amplitude (unit="N.m") = 1, w (unit="rad/s") = 6.283185307179586
  connect i to revolute to wheel, torque at revolute:b, i to shaft, rotor at shaft:ext,
          drive at shaft:ext
  torque.tau = [amplitude*sin(w*time), 0, 0]
  drive.f = amplitude*sin(w*time)
end

model LongPendulum "A01 of the IFToMM: a point mass falls from the horizontal, without damping"
  submodel (Inertial) i(ng2=-1, g=9.81)
  submodel (Revolute) r(n3=1)
  submodel (Bar) b(r1=1)
  submodel (PointMass) m(m=1)
  connect i to r to b to m
end
