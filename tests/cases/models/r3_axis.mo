{ One axis of the robot r3 of the Modelica Standard Library 4.0, Mechanics.MultiBody.Examples.Systems.RobotR3: a cascade of
  controllers, a motor whose current is controlled by three operational amplifiers, a gear with friction and elasticity. }

@electrical
@rotational
@sources

model class FreeCapacitor "a capacitor whose start is determined by the model around it"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter C (unit="F") "capacitance"
  terminal u (unit="V")
  u = Va - Vb
  C*der(u) = i
end

model class FreeInductor "an inductor whose start is determined by the model around it"
  cut (Pin) A (Va / i), B (Vb / -i)
  main cut W [A, B]
  main path P <A - B>
  parameter L (unit="H") "inductance"
  L*der(i) = Va - Vb
end

model class Drive "an electromotive force between A and B that drives the shaft M"
  cut (Pin) A (Va / i), B (Vb / -i)
  cut (Flange) M (phi / tau)
  main path P <A - B>
  parameter k (unit="V.s/rad")
  Va - Vb = k*der(phi)
  tau = -k*i
end

model class Motor "motor with control of its current"
  parameter J (unit="kg.m2") = 0.0013, k (unit="V.s/rad") = 1.1616
  parameter w (unit="rad/s") = 4590, D (unit="1") = 0.6 "frequency and damping of the current control"
  submodel (VSource) Vs
  submodel (Resistor) Rd1(R=100), Rd2(R=100), Rd3(R=100), Rd4(R=100), Ri(R=10), Rp1(R=200), Rp2(R=50), Ra(R=250)
  constant S (unit="S") = 0.004, Ohm (unit="Ohm") = 250, V_per_A (unit="V/A") = 1
  submodel (FreeCapacitor) C(C=S*D/w)
  submodel (FreeInductor) La(L=Ohm/(2*D*w))
  submodel (Drive) emf(k=k)
  submodel (Hall) hall
  submodel (OpAmpIdeal) diff, I, power
  submodel (FreeInertia) rotor(J=J)
  submodel (Ground) g
  terminal i_ref (unit="A")
  cut (Flange) B
  cut angle (phi), speed (rate)
  node n0, n1, n2, n3, n4, n5, n6, n7, n8, n9
  connect Vs at (n1, n0), Rd2 at (n1, n2), Rd1 at (n2, n3), Ri at (n3, n4), C at (n4, n5), Rp1 at (n6, n7), Rp2 at (n6, n0),
          Rd3 at (n8, n9), Rd4 at (n9, n0), diff at (n9, n2, n3), I at (n0, n4, n5), power at (n5, n6, n7),
          n7 to Ra to La to emf to hall to n0, hall:m at n8, g at n0, emf:M at rotor:A, rotor:B at B
  Vs.u = V_per_A*i_ref
  phi = rotor.phi
  rate = rotor.w
end

model class Gear "bearing friction, elasticity and an ideal gear"
  parameter ratio (unit="1") = 210, c (unit="N.m/rad") = 8, d (unit="N.m.s/rad") = 0.01
  parameter Rv0 (unit="N.m") = 0.5, Rv1 (unit="N.m") = 0.1/130
  submodel (BearingFriction) friction(tau_tab=[Rv0, Rv0 + Rv1])
  submodel (SpringDamper) spring(c=c, d=d)
  submodel (IdealGear) gear(ratio=ratio)
  cut A, B
  main path P <A - B>
  connect A to friction to spring to gear to B
end

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
