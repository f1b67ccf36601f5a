{ Elementary.LineForceWithTwoMasses of the Modelica Standard Library 4.0: a damper with two masses on its line, as joints that close a
  loop. }

@mbs

model LineForceWithTwoMasses
  constant e1 = 0.503871025524086, e2 = 0.863778900898433 "direction of the line at the start"
  submodel (Inertial) i(ng2=-1, g=9.80665)
  submodel (Bar) up(r2=0.3), down(r2=-0.9), lower(r1=0.2*e1, r2=0.2*e2),
                 upper(r1=-0.2*e1, r2=-0.2*e2)
  submodel (Revolute) revolute1(n3=1), swing(n3=1)
  submodel (JointState) state
  submodel (Prismatic) line(n1=e1, n2=e2, q0=1.389244398944980)
  submodel (PointMass) mass1(m=1), mass2(m=1)
  submodel (JointDamper) damper(d=3)
  submodel (BodyBox) box(r1=0.7, w2=1, width=0.035, height=0.035)
  submodel (PlanarCutRevolute) close(n3=1)
  connect i to up to revolute1 to box, i to down to swing to line, swing:b to lower to mass1,
          line:b to upper to mass2, damper at line:ext, close:a at line:b, close:b at box:b,
          state at revolute1:ext
end
