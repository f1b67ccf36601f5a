{ Mechanisms with closed loops, after the examples MultiBody.Loops, MultiBody.Constraints and MultiBody.Elementary of the Modelica
  Standard Library, version 4.0. }

@mbs

model Fourbar1 "a loop of six revolute joints and a prismatic one"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Revolute) j1(n1=1, qd0=5.235987755982989)
  submodel (JointState) state
  submodel (Prismatic) j2(n1=1, q0=-0.2)
  submodel (Revolute) j3(n1=1), j4(n2=1), j5(n3=1), rev(n2=1)
  submodel (CutRevolute) rev1(n3=1)
  submodel (BodyCylinder) b1(r2=0.5, r3=0.1, diameter=0.05), b2(r2=0.2, diameter=0.05)
  submodel (BodyCylinder) b3(r1=1, r2=-0.3, r3=-0.1, diameter=0.05)
  submodel (Bar) b0(r1=1.2)
  connect i to j1 to b1 to j3 to j4 to j5 to b3, i to b0 to j2 to b2 to rev,
          rev1:a at rev:b, rev1:b at b3:b, state at j1:ext
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
