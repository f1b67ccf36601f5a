{ Motors, gears and controllers of the robot r3 of the Modelica Standard Library 4.0,
  Mechanics.MultiBody.Examples.Systems.RobotR3: each axis has a cascade of controllers, a motor whose current is controlled by three
  operational amplifiers, and a gear with friction, elastic in three of them. }

@blocks
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
  parameter w (unit="rad/s") = 4590,
            D (unit="1") = 0.6 "frequency and damping of the current control"
  submodel (VSource) Vs
  submodel (Resistor) Rd1(R=100), Rd2(R=100), Rd3(R=100), Rd4(R=100), Ri(R=10), Rp1(R=200),
                      Rp2(R=50), Ra(R=250)
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
  connect Vs at (n1, n0), Rd2 at (n1, n2), Rd1 at (n2, n3), Ri at (n3, n4), C at (n4, n5),
          Rp1 at (n6, n7), Rp2 at (n6, n0),
          Rd3 at (n8, n9), Rd4 at (n9, n0), diff at (n9, n2, n3), I at (n0, n4, n5),
          power at (n5, n6, n7),
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

model class Control "speed and position of a motor -> its current"
  parameter ratio (unit="1"), kp (unit="1/s") = 5
  submodel (PI) PI(k=0.5, T=0.05)
  terminal q_ref (unit="rad"), v_ref (unit="rad/s")
  terminal phi (unit="rad"), w (unit="rad/s"), i_ref (unit="A")
  PI.u = ratio*v_ref + kp*(ratio*q_ref - phi) - w
  PI.y = i_ref
end

model class Joint "a shaft that moves the joint of a multibody system"
  cut (Flange) A (phi / tau)
  cut ext (phi(unit="rad"), qd(unit="rad/s"), qdd(unit="rad/s2") / -tau)
  main path P <A - ext>
end

model class StiffGear "an ideal gear and a bearing with friction on the side of the joint"
  parameter ratio (unit="1")
  parameter Rv0 (unit="N.m"), Rv1 (unit="N.m"), peak (unit="1") "greatest friction over Rv0"
  submodel (IdealGear) gear(ratio=ratio)
  submodel (BearingFriction) friction(tau_tab=[Rv0, Rv0 + Rv1], peak=peak)
  cut A, B
  main path P <A - B>
  connect A to gear to friction to B
end

model class AnyAxis "motor and control; a subclass adds the gear"
  parameter ratio (unit="1"), k (unit="V.s/rad"), w (unit="rad/s"), D (unit="1"), J (unit="kg.m2")
  submodel (Control) control(ratio=ratio)
  submodel (Motor) motor(k=k, w=w, D=D, J=J)
  submodel (Joint) joint
  cut ext
  connect joint:ext at ext
  control.phi = motor.phi
  control.w = motor.rate
  control.i_ref = motor.i_ref
  initial
    der(motor.C.u) = 0
    der(motor.La.i) = 0
  endinitial
end

model class (AnyAxis) Axis1 "with an elastic gear"
  parameter c (unit="N.m/rad"), d (unit="N.m.s/rad"), Rv0 (unit="N.m"), Rv1 (unit="N.m")
  submodel (Gear) gear(ratio=ratio, c=c, d=d, Rv0=Rv0, Rv1=Rv1)
  connect motor:B to gear to joint
  initial
    joint.qdd = 0
    gear.spring.w_rel = 0
    { A gear that sticks does not move whatever the motor does. The published model asks for der(spring.w_rel) = 0 here. }
    gear.friction.tau = 0
  endinitial
end

model class (AnyAxis) Axis2 "with a stiff gear"
  parameter Rv0 (unit="N.m"), Rv1 (unit="N.m"), peak (unit="1")
  submodel (StiffGear) gear(ratio=ratio, Rv0=Rv0, Rv1=Rv1, peak=peak)
  connect motor:B to gear to joint
  initial
    { The published model asks for joint.qdd = 0. }
    gear.friction.tau = 0
  endinitial
end
