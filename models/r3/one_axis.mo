{ One axis of the robot with a load instead of the arm: RobotR3.OneAxis of the Modelica Standard Library 4.0. }

@control
@motor
@drives

model OneAxis "120 degrees with 19.5 kg.m2"
  submodel (KinematicPTP) way(q1=120 deg, v_max=3, a_max=10)
  submodel (R3control) c(ratio=210)
  submodel (R3motor) m(k=1.1616, J=0.0013, w=5500, D=0.6)
  submodel (R3drive1) d(ratio=210, c=8, d=0.01, Rv0=0.5, Rv1=0.1/130)
  submodel (mbs.Inertial) world
  submodel (mbs.Revolute) r(n3=1)
  submodel (mbs.Body) load(I33=19.5)
  connect m:shaft to d to r:ext, world to r to load
  c.q_ref = way.q
  c.qd_ref = way.v
  c.q = m.rotor.q
  c.qd = m.rotor.qd
  m.i_ref = c.i_ref
end
