{ The robot r3 of r3_full.mo whose drives are drive lines of the multibody library: rotors, gears and friction pass on inertia, force and
  locking towards the joints, so that the six axes and the arm make no common system of equations. }

@r3_full

model class DriveMotor "motor with control of its current; its shaft is a point of a drive line"
  parameter J (unit="kg.m2"), k (unit="V.s/rad"), w (unit="rad/s"),
            D (unit="1") "frequency and damping of the current control"
  submodel (VSource) Vs
  submodel (Resistor) Rd1(R=100), Rd2(R=100), Rd3(R=100), Rd4(R=100), Ri(R=10), Rp1(R=200),
                      Rp2(R=50), Ra(R=250)
  constant S (unit="S") = 0.004, Ohm (unit="Ohm") = 250, V_per_A (unit="V/A") = 1
  submodel (FreeCapacitor) C(C=S*D/w)
  submodel (FreeInductor) La(L=Ohm/(2*D*w))
  submodel (Emf) emf(k=k)
  submodel (Hall) hall
  submodel (OpAmpIdeal) diff, I, power
  submodel (mbs.Rotor) rotor(J=J)
  submodel (Ground) g
  terminal i_ref (unit="A")
  cut shaft
  node n0, n1, n2, n3, n4, n5, n6, n7, n8, n9
  connect Vs at (n1, n0), Rd2 at (n1, n2), Rd1 at (n2, n3), Ri at (n3, n4), C at (n4, n5),
          Rp1 at (n6, n7), Rp2 at (n6, n0),
          Rd3 at (n8, n9), Rd4 at (n9, n0), diff at (n9, n2, n3), I at (n0, n4, n5),
          power at (n5, n6, n7),
          n7 to Ra to La to emf to hall to n0, hall:m at n8, g at n0, emf:mech at shaft,
          rotor at shaft
  Vs.u = V_per_A*i_ref
end

model class AnyDrive "motor and control; a subclass adds the gear"
  parameter ratio (unit="1"), k (unit="V.s/rad"), w (unit="rad/s"), D (unit="1"), J (unit="kg.m2")
  parameter Rv0 (unit="N.m"), Rv1 (unit="N.m.s/rad"), peak (unit="1") = 1 "friction"
  submodel (Control) control(ratio=ratio)
  submodel (DriveMotor) motor(k=k, w=w, D=D, J=J)
  submodel (mbs.IdealGear) gear(ratio=ratio)
  submodel (mbs.CoulombFriction) friction(fc=Rv0, d=Rv1, peak=peak)
  cut ext
  connect gear to ext
  control.phi = motor.rotor.q
  control.w = motor.rotor.qd
  control.i_ref = motor.i_ref
  initial
    der(motor.C.u) = 0
    der(motor.La.i) = 0
    friction.f = 0
  endinitial
end

model class (AnyDrive) ElasticDrive "friction at the motor, and an elastic shaft"
  parameter c (unit="N.m/rad"), d (unit="N.m.s/rad")
  submodel (mbs.ShaftSpring) spring(c=c, d=d)
  connect spring to gear, motor:shaft at spring:A, friction at spring:A
  initial
    gear.qddb = 0
    spring.rate = 0
  endinitial
end

model class (AnyDrive) StiffDrive "friction at the joint"
  connect motor:shaft at gear:A, friction at gear:B
end

model DrivenRobot
  constant rad_per_deg = 0.0174532925199433
  submodel (KinematicPTP2) way(n=6, q0=rad_per_deg*[-60, 20, 90, 0, -110, 0],
                               q1=rad_per_deg*[60, -70, -35, 45, 110, 45],
                               v_max=[3, 1.5, 5, 3.1, 3.1, 4.1], a_max=[15, 15, 15, 60, 60, 60])
  submodel (ElasticDrive) a1(ratio=-105, k=1.1616, w=4590, D=0.6, J=0.0013, c=43, d=0.005, Rv0=0.4,
                             Rv1=0.13/160)
  submodel (ElasticDrive) a2(ratio=210, k=1.1616, w=5500, D=0.6, J=0.0013, c=8, d=0.01, Rv0=0.5,
                             Rv1=0.1/130)
  submodel (ElasticDrive) a3(ratio=60, k=1.1616, w=5500, D=0.6, J=0.0013, c=58, d=0.04, Rv0=0.7,
                             Rv1=0.2/130)
  submodel (StiffDrive) a4(ratio=-99, k=0.2365, w=6250, D=0.55, J=1.6e-4, Rv0=21.8, Rv1=9.8,
                           peak=26.7/21.8)
  submodel (StiffDrive) a5(ratio=79.2, k=0.2608, w=6250, D=0.55, J=1.8e-4, Rv0=30.1, Rv1=0.03,
                           peak=39.6/30.1)
  submodel (StiffDrive) a6(ratio=-99, k=0.0842, w=7400, D=0.27, J=4.3e-5, Rv0=10.9, Rv1=3.92,
                           peak=16.8/10.9)
  submodel (Structure) mechanics
  connect mechanics:j1 at a1:ext, mechanics:j2 at a2:ext, mechanics:j3 at a3:ext,
          mechanics:j4 at a4:ext, mechanics:j5 at a5:ext,
          mechanics:j6 at a6:ext
  [a1.control.q_ref, a2.control.q_ref, a3.control.q_ref, a4.control.q_ref, a5.control.q_ref,
   a6.control.q_ref] = way.q
  [a1.control.v_ref, a2.control.v_ref, a3.control.v_ref, a4.control.v_ref, a5.control.v_ref,
   a6.control.v_ref] = way.v
end
