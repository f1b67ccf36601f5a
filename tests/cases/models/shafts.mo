{ Examples of Modelica.Mechanics.Rotational of the Modelica Standard Library 4.0, written anew. }

@rotational
@sources

model class Motor "what First and FirstGrounded have: a sine drives two inertias over a gear and a spring"
  submodel (Sine) sine(amplitude=10, f=5)
  submodel (Inertia) J1(J=0.1), J2(J=2), J3(J=2)
  submodel (Spring) spring(c=1e4)
  submodel (Damper) damper(d=10)
  submodel (Fixed) fixed
  connect J2 to spring to J3, J2 to damper to fixed
end

model class (Motor) Mounted "torque and gear are held by the housing"
  submodel (Torque) torque(supported=true)
  submodel (IdealGear) gear(ratio=10, supported=true)
  connect sine to torque to J1 to gear to J2, torque:S at fixed, gear:S at fixed
end

model First
  submodel (Mounted) m
end

model class (Motor) Grounded "the same without cuts for the housing"
  submodel (Torque) torque
  submodel (IdealGear) gear(ratio=10)
  connect sine to torque to J1 to gear to J2
end

model FirstGrounded
  submodel (Grounded) m
end

model CoupledClutches "three clutches in a row, closed one after the other"
  submodel (Inertia) J1(J=1, w0=10), J2(J=1), J3(J=1), J4(J=1)
  submodel (Clutch) c1(peak=1.1, fn_max=20), c2(peak=1.1, fn_max=20), c3(peak=1.1, fn_max=20)
  submodel (Torque) torque
  submodel (Sine) drive(amplitude=10, f=5), press(amplitude=1, f=0.2, phi=1.57079632679490)
  submodel (Step) step2(t0=0.4), step3(t0=0.9)
  connect drive to torque to J1 to c1 to J2 to c2 to J3 to c3 to J4,
          press to c1:inp, step2 to c2:inp, step3 to c3:inp
end

model ClutchAndBrake "a clutch slips while a brake takes hold, then sticks"
  submodel (Inertia) J3(J=1, w0=100), J2(J=0.05, w0=90), J1(J=1, w0=90)
  submodel (Clutch) clutch(fn_max=160)
  submodel (Brake) brake(fn_max=1600)
  submodel (SpringDamper) spring(c=160, d=1)
  submodel (Torque) torque
  submodel (Step) step(t0=0.5)
  constant pi = 3.14159265358979323846
  connect torque to J3 to clutch to J2 to spring to J1 to brake, step to brake:inp
  clutch.engaged = 1
  torque.tau = if time < 0.5 then 200*sin(100*time) else 0
end

model Freewheel "a freewheel, whose friction is switched; parameters read off the published curves"
  submodel (Inertia) J1(J=1, w0=-0.5), J2(J=1)
  submodel (OneWayClutch) clutch(fn_max=3, peak=10)
  submodel (Torque) torque
  submodel (Sine) sine(amplitude=10, f=3)
  submodel (Pulse) pulse(T=1.3, t0=0.3)
  connect sine to torque to J1 to clutch to J2, pulse to clutch:inp
end

model SimpleGearShift "a planetary gear is shifted by a brake and a clutch; parameters read off the published curves"
  submodel (Inertia) engine(J=1), load(J=10)
  submodel (IdealPlanetary) gear(ratio=1.5)
  submodel (Clutch) clutch(fn_max=200)
  submodel (Brake) brake(fn_max=200)
  submodel (TorqueStep) drive(tau1=20, t0=0.5)
  submodel (QuadraticTorque) drag(tau_n=-20, w_n=10.4719755119660)
  submodel (Ramp) shift(T=0.1, t0=2)
  connect drive to engine to gear:sun, gear:carrier to load to drag,
          clutch at (engine:B, gear:ring), brake:A at gear:ring,
          shift to clutch:inp
  brake.engaged = 1 - shift.y
end

model LossyGearDemo1 "a gear of low efficiency sticks and is moved in turn"
  submodel (Inertia) J1(J=1), J2(J=1.5)
  submodel (LossyGear) gear(ratio=2, eta1=[0.5, 0.5], eta2=[0.5, 0.5])
  submodel (Torque) motor, load
  submodel (Sine) sine(amplitude=10, f=1)
  submodel (Ramp) ramp(height=5, T=2, offset=-10)
  connect sine to motor to J1 to gear to J2 to load:A, ramp to load
end
