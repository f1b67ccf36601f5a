{ Mechanisms with closed loops, after the examples MultiBody.Loops, MultiBody.Constraints and MultiBody.Elementary of the Modelica
  Standard Library, version 4.0. }

@mbs
@blocks
@rotational as rot

model Fourbar1 "a loop of six revolute joints and a prismatic one"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) j1(n1=1, qd0=5.235987755982989)
  submodel (JointState) state
  submodel (Prismatic) j2(n1=1, q0=-0.2)
  submodel (Revolute) j3(n1=1), j4(n2=1), j5(n3=1), rev(n2=1)
  submodel (CutRevolute) rev1(n3=1)
  submodel (LoopJoint) no_mass
  submodel (BodyCylinder) b1(r2=0.5, r3=0.1, diameter=0.05), b2(r2=0.2, diameter=0.05)
  submodel (BodyCylinder) b3(r1=1, r2=-0.3, r3=-0.1, diameter=0.05)
  submodel (Bar) b0(r1=1.2)
  connect i to j1 to b1 to j3 to j4 to j5 to b3, i to b0 to j2 to b2 to rev,
          rev1:a at rev:b, rev1:b at b3:b, state at j1:ext, no_mass at rev:ext
end

model Fourbar2 "the same loop with a rod in the place of five joints"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) j1(n1=1, qd0=5.235987755982989)
  submodel (JointState) state
  submodel (Prismatic) j2(n1=1, q0=-0.2)
  submodel (RodSphericalSpherical) rod(length=sqrt(1.1))
  submodel (BodyCylinder) b1(r2=0.5, r3=0.1, diameter=0.05), b2(r2=0.2, diameter=0.05)
  submodel (Bar) b0(r1=1.2)
  connect i to j1 to b1, i to b0 to j2 to b2, rod:a at b1:b, rod:b at b2:b, state at j1:ext
end

model Engine1a "one cylinder of an engine, without gas"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) bearing(n1=1, qd0=10), b2(n1=1)
  submodel (JointState) state
  submodel (Rotor) inertia(J=1)
  submodel (BodyCylinder) crank1(r1=0.1, diameter=0.05), crank3(r1=0.1, diameter=0.03)
  submodel (BodyBox) crank2(r2=0.1, w1=1, width=0.02, height=0.05),
                     crank4(r2=-0.1, w1=1, width=0.02, height=0.05)
  submodel (Bar) mid(r1=0.05), place(r1=0.15, r2=0.45)
  submodel (Prismatic) cylinder(n2=-1, q0=0.15)
  submodel (BodyCylinder) piston(r2=-0.1, diameter=0.1)
  submodel (BodyBox) rod(r2=-0.2, w1=1, width=0.02, height=0.06)
  submodel (PlanarCutRevolute) b1(n1=1)
  connect i to bearing to crank1 to crank2 to crank3 to crank4, crank2 to mid,
          i to place to cylinder to piston to b2 to rod, b1:a at mid:b, b1:b at rod:b,
          inertia at bearing:ext, state at bearing:ext
end

model FreeBody "a body that hangs on two springs"
  parameter tilt (unit="rad") = 0.174532925199433
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Bar) bar(r1=0.8), shape(r1=0.4)
  submodel (Free) free(x1=0.2, x2=-0.5, x3=0.1, angle1=tilt, angle2=tilt, angle3=tilt)
  submodel (Body) body(m=1, r1=0.2, I11=1, I22=1, I33=1)
  submodel (Spring) s1(c=20), s2(c=20)
  submodel (AbsoluteSensor) sensor
  connect i to free to shape, i to bar, body at free:b, sensor at free:b, s1 at (i:a, free:b),
          s2 at (bar:b, shape:b)
end

model SphericalConstraint "a body on a spring, held at one point by conditions alone"
  parameter degree (unit="rad") = 0.017453292519943295
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Fixed) f1(n1=1, n3=0, angle=10*degree, r1=0.2, r2=-0.3, r3=0.2),
                   f2(n2=1, n3=0, angle=55*degree), f3(n3=1, angle=68*degree)
  submodel (Bar) bar(r1=0.8, r3=0.3), shape(r1=0.4)
  submodel (Free) free
  submodel (CutSpherical) held
  submodel (Body) body(m=1, r1=0.2, I11=1, I22=1, I33=1)
  submodel (Spring) spring(c=20)
  connect i to f1 to f2 to f3 to free to shape, i to bar, body at free:b,
          held:a at f3:b, held:b at free:b, spring at (bar:b, shape:b)
end

model PlanarLoops "three loops one after the other, closed by assemblies of joints; the first crank follows a sine"
  constant omega (unit="rad/s") = 6.283185307179586
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) rev(n3=1)
  submodel (rot.SoftPosition) drive
  submodel (RotationalFlange) flange
  submodel (LoopJoint) no_mass
  submodel (Bar) rod1(r2=0.5), rod2(r1=0.5), rod3(r1=0.5), rod4(r1=0.5)
  submodel (JointRRR) j1(n3=1, r11=0.6, r12=0, r21=0.1, r22=0.5),
                      j2(n3=1, r11=0.5, r12=0.1, r21=0.1, r22=0.6),
                      j3(n3=1, r11=0.4, r12=-0.05, r22=0.55)
  submodel (Body) m1(m=1, r1=0.3, I11=0.001, I22=0.001, I33=0.001),
                  m2(m=1, r1=0.25, r2=0.05, I11=0.001, I22=0.001, I33=0.001),
                  m3(m=1, r1=0.2, r2=-0.025, I11=0.001, I22=0.001, I33=0.001)
  connect i to rev to rod1 to j1:a, i to rod2 to j1:b, m1 at j1:ia,
          j1:im at j2:a, rod2 to rod3 to j2:b, m2 at j2:ia,
          j2:im at j3:a, rod3 to rod4 to j3:b, m3 at j3:ia, drive to flange to rev:ext,
          no_mass at rev:ext
  drive.phi_ref = 0.7*sin(omega*time)
end

model Wheel "a wheel that rolls on a plane, with Cardan angles"
  submodel (Inertial) i(ng3=-1, g=9.80665)
  submodel (Prismatic) x(n1=1, q0=0.2), y(n2=1, q0=0.2), z(n3=1, q0=0.3)
  submodel (Revolute) j1(n3=1), j2(n2=1, qd0=5), j3(n1=1, qd0=1)
  submodel (JointState) s1, s2, s3
  submodel (RollingWheel) wheel(radius=0.3)
  submodel (Body) body(m=2, I11=0.12, I22=0.06, I33=0.12)
  connect i to x to y to z to j1 to j2 to j3, wheel at j3:b, body at j3:b,
          s1 at j1:ext, s2 at j2:ext, s3 at j3:ext
end

{ --- an engine of six cylinders --- }

model class GasForce "gas in a cylinder, its pressure by polynomials of the position; s + offset is the length that it fills"
  main cut (DriveCut) a (q, qd, qdd / -f)
  parameter L (unit="m"), d (unit="m") "length and diameter of the cylinder"
  parameter offset (unit="m")
  constant bar (unit="Pa") = 1e5
  constant pi (unit="1") = 3.14159265358979323846
  terminal f (unit="N") "force on the piston"
  local x (unit="1"), up (unit="1"),
        down (unit="1") "pressure in bar while the piston goes up, and down"
  x = 1 - (q + offset)/L
  up = if x < 0.986061 then 177.4132*x^4 - 287.2189*x^3 + 151.8252*x^2 - 24.9973*x + 2.4 else 2836360*x^4 - 10569296*x^3 + 14761814*x^2 - 9158505*x + 2129670
  down = if x > 0.933 then -3929704*x^4 + 14748765*x^3 - 20747000*x^2 + 12964477*x - 3036495 else 145.930*x^4 - 131.707*x^3 + 17.3438*x^2 + 17.9272*x + 2.4
  f = bar*(if qd < 0 then up else down)*pi*d^2/4
end

model class Cylinder "piston, rod and gas; k is the crankshaft, c the housing, from one cylinder to the next"
  parameter inclination (unit="rad"), offset (unit="rad") "of the cylinder; of the crank"
  cut (Frame) ka, kb, ca, cb
  submodel (Fixed) incline(n1=1, n3=0, r1=0.09, angle=inclination),
                   turn(n1=1, n3=0, angle=offset)
  submodel (Bar) pin(r1=0.09, r2=0.05), mounting(r1=0.14), crank(r1=0.14)
  submodel (JointRRP) j(n1=1, nb2=-1, r12=0.175, r22=-0.1)
  submodel (Body) rod(m=1, r2=0.0875, I11=0.006, I22=0.0005, I33=0.006),
                  piston(m=6, r2=-0.05, I11=0.0088, I22=0.0076, I33=0.0088)
  submodel (GasForce) gas(L=0.195, d=0.1, offset=0.42)
  connect ka to crank to kb, ka to turn to pin to j:a, ca to mounting to cb, ca to incline to j:b,
          rod at j:ia, piston at j:ib, gas at j:ext
end

model class Load "inertia, and a torque that grows with the square of the speed"
  main cut (DriveCut) a (q, qd, qdd / tau)
  parameter J (unit="kg.m2") = 1, tau_n (unit="N.m") = 100, w_n (unit="rad/s") = 200
  terminal tau (unit="N.m")
  tau = J*qdd + tau_n*(qd/w_n)^2
end

model EngineV6 "six cylinders in two rows, with gas forces; the loops are closed by assemblies of joints"
  constant degree (unit="rad") = 0.017453292519943295
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) bearing(n1=1, qd0=10)
  submodel (Body) crank(m=180, r1=0.3, I11=0.1)
  submodel (Cylinder) c1(offset=-30*degree, inclination=-30*degree),
                      c2(offset=90*degree, inclination=30*degree),
                      c3(offset=210*degree, inclination=-30*degree),
                      c4(offset=210*degree, inclination=30*degree),
                      c5(offset=90*degree, inclination=-30*degree),
                      c6(offset=-30*degree, inclination=30*degree)
  submodel (Load) load
  submodel (CriticalDamping) filter(n=2, f=5, steady=true)
  connect i to bearing, crank at bearing:b, bearing:b at c1:ka, i at c1:ca,
          c1:kb at c2:ka, c2:kb at c3:ka, c3:kb at c4:ka, c4:kb at c5:ka, c5:kb at c6:ka,
          c1:cb at c2:ca, c2:cb at c3:ca, c3:cb at c4:ca, c4:cb at c5:ca, c5:cb at c6:ca,
          load at bearing:ext
  filter.u = load.tau
end

{ --- benchmarks of the IFToMM --- }

model class Rod "uniform rod of 1 m and 1 kg behind a revolute joint"
  parameter rx (unit="m") = 0, ry (unit="m") = 0, qd0 (unit="rad/s") = 0
  cut (Frame) a, b
  main path p <a - b>
  submodel (Revolute) j(n3=1, qd0=qd0)
  submodel (Bar) bar(r1=rx, r2=ry)
  submodel (Body) body(m=1, r1=rx/2, r2=ry/2, I33=1/12)
  connect a to j to bar to b, body at j:b
end

model Windows "A02: five rods make two windows; where they lie in one line the mechanism has three degrees of freedom instead of one"
  submodel (Inertial) i(ng2=-1)
  submodel (Rod) v0(ry=1, qd0=-1), v1(ry=1, qd0=-1), v2(ry=1, qd0=-1), h0(rx=1, qd0=1),
                 h1(rx=1)
  submodel (Bar) g1(r1=1), g2(r1=2)
  submodel (PlanarCutRevolute) c1(n3=1), c2(n3=1)
  submodel (AbsoluteSensor) tip
  connect i to v0 to h0 to h1, i to g1 to v1, i to g2 to v2, c1:a at h0:b, c1:b at v1:b,
          c2:a at h1:b, c2:b at v2:b, tip at v0:b
end

model Governor "A05: flyball governor with stiff springs in the place of two rods"
  constant beta (unit="rad") = 0.5235987755982988
  submodel (Inertial) i(ng3=-1)
  submodel (Revolute) shaft(n3=1, qd0=6.283185307179586), j1(n2=1, q0=beta),
                      j2(n2=1, q0=-beta)
  submodel (Prismatic) slide(n3=1, q0=0.5)
  submodel (Bar) t1(r1=0.05, r3=1), t2(r1=-0.05, r3=1), p1(r1=0.05), p2(r1=-0.05), h1(r1=0.5),
                 h2(r1=-0.5), b1(r1=0.5), b2(r1=-0.5)
  submodel (Body) axle(m=0.3, r3=0.5, I11=0.025, I22=0.025, I33=5e-6),
                  slider(m=3, I11=0.005, I22=0.005, I33=0.005),
                  r1(m=0.3, r1=0.5, I11=5e-6, I22=0.0250025, I33=0.0250025),
                  r2(m=0.3, r1=-0.5, I11=5e-6, I22=0.0250025, I33=0.0250025)
  submodel (PointMass) m1(m=5), m2(m=5)
  submodel (SpringDamper) s1(c=8e5, d=4e4, s0=0.5), s2(c=8e5, d=4e4, s0=0.5)
  connect i to shaft to t1 to j1 to h1 to b1, shaft to t2 to j2 to h2 to b2, shaft to slide to p1,
          slide to p2, axle at shaft:b, slider at slide:b, r1 at j1:b, r2 at j2:b, m1 at b1:b,
          m2 at b2:b, s1 at (p1:b, h1:b), s2 at (p2:b, h2:b)
end
