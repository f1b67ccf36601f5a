{ ModelicaTest.Rotational.AllComponents of the Modelica Standard Library 4.0, written anew. Left out are two of its parts that
  touch no other one and have no published curves: a second kind of backlash, and a source whose angle, speed and acceleration are
  prescribed without being derivatives of each other. }

@rotational
@sources

model AllComponents "a gear train with nearly every element, and sources one by one"
  constant deg1 = 0.0174532925199433
  { The train: two branches from the planetary gear. }
  submodel (Fixed) housing
  submodel (FreeInertia) J5(J=3), J0(J=3), J1(J=2), J3(J=2), J4(J=2)
  submodel (Inertia) J2(J=4), J6(J=2, phi0=deg1, w0=2)
  submodel (Clutch) clutch(mue=[1, 1], peak=1.1, cgeo=1.2, fn_max=1.3)
  submodel (IdealGear) gear(ratio=3, supported=true)
  submodel (IdealPlanetary) planetary(ratio=3)
  submodel (Spring) spring(c=1e4)
  submodel (Damper) damper(d=10)
  submodel (Brake) brake(fn_max=1, supported=true)
  submodel (Torque) torque(supported=true)
  submodel (LossyGear) lossy(ratio=1, supported=true)
  submodel (SpringDamper) cd(c=1e4, d=10, phi_rel0=1.7453292519943e-05)
  submodel (ElastoBacklash) backlash(c=1e4, d=20, b=1.7453292519943e-07)
  submodel (BearingFriction) bearing(tau_tab=[2, 2], peak=1.1, supported=true)
  submodel (Sine) press(f=1), hold(f=1), drive(f=1)
  connect J5 to clutch to J0 to gear to planetary:sun,
          planetary:ring to (spring par damper) to J2 to brake to torque:A, drive to torque,
          J6 to lossy to J3 to cd to J1:A, J1:B at planetary:carrier,
          J1 to backlash to J4 to bearing, press to clutch:inp, hold to brake:inp,
          gear:S at housing, lossy:S at housing, bearing:S at housing, brake:S at housing, torque:S at housing

  { A gear box between two loads that depend on the speed; nothing moves it. }
  submodel (Fixed) housing1
  submodel (LinearTorque) linear(tau_n=10, w_n=10, supported=true)
  submodel (QuadraticTorque) quadratic(tau_n=100, w_n=1, supported=true)
  submodel (FreeInertia) J7(J=3)
  submodel (Inertia) J8(J=3)
  submodel (Gearbox) box(ratio=2, eta1=[0.9, 0.9], c=1e4, d=10, b=1.7453292519943e-07, supported=true)
  submodel (RelativeStates) states
  connect linear:A to J7 to box to J8 to quadratic:A, states at (J7:B, J8:B),
          linear:S at housing1, box:S at housing1, quadratic:S at housing1

  { Prescribed angles, speeds and accelerations, and sensors between them. }
  submodel (Fixed) ground
  submodel (Sine) one(f=1), two(f=1), three(f=1), four(f=1)
  submodel (SoftPosition) position(supported=true)
  submodel (SoftSpeed) speed(supported=true)
  submodel (Accelerate) accelerate(supported=true)
  submodel (FreeInertia) J9(J=3), J10(J=3), J11(J=3)
  submodel (Inertia) J13(J=3)
  submodel (Torque2) twist
  submodel (AngleSensor) angle
  submodel (SpeedSensor) velocity
  submodel (AccSensor) acceleration
  submodel (RelSensor) relative
  connect one to position to J9, two to speed to J10, three to accelerate to J11,
          position:S at ground, speed:S at ground, accelerate:S at ground,
          twist at (J13:A, J10:B), four to twist:inp, angle:A at J11:B, velocity:A at J11:B, acceleration:A at J11:B,
          relative at (J9:B, J13:B)

  { Constant torques and a constant speed. }
  submodel (Fixed) base
  submodel (ConstTorque) steady(tau0=11, supported=true)
  submodel (TorqueStep) step(tau0=11, tau1=33, t0=1, supported=true)
  submodel (Inertia) J14(J=3)
  submodel (ConstSpeed) turning(w0=11, supported=true)
  submodel (FreeInertia) J15(J=3), J16(J=3)
  submodel (TorqueSensor) flow
  submodel (PowerMeter) power
  connect steady:A at J14:A, step:A at J14:A, steady:S at base, step:S at base, turning:S at base,
          J16 to power to flow to J15:B, turning:A to J15:A
end
