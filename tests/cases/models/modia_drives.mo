{ Electrical drives of the examples of Modia.jl, written anew. }

@blocks
@rotational
@electrical
@"electrical/machines"
@sources

model class CurrentControl "motor whose current follows the signal at inp; A is its shaft"
  parameter T (unit="s") "time constant of the controller"
  cut inp, A
  submodel (Feedback) error
  submodel (PI) control(k=30, T=T)
  submodel (FirstOrder) converter(T=0.001)
  submodel (VSource) V
  submodel (Resistor) R(R=13.8)
  submodel (Inductor) L(L=0.061)
  submodel (RotationalEmf) emf(k=1.016)
  submodel (Ground) g
  submodel (Inertia) rotor(J=0.0025)
  main path P <inp - A>
  connect inp at error:inp, error to control to converter,
          V:A to R to L to emf to V:B, g at V:B, emf:flange at rotor:A, rotor:B at A
  V.u = converter.y
  error.u2 = L.i
end

model MotorControl "a step of the current; the motor turns a load through a gear and a spring"
  submodel (Step) step(height=4.7)
  submodel (CurrentControl) motor(T=0.005)
  submodel (IdealGear) gear(ratio=105)
  submodel (SpringDamper) spring(c=5e5, d=500)
  submodel (Inertia) load(J=100)
  connect step to motor to gear to spring to load
end

model ServoSystem "speed and current are controlled one in the other"
  submodel (Ramp) ramp(height=2.95, T=1.18)
  submodel (Gain) gain(k=105)
  submodel (Feedback) error
  submodel (PI) control(k=1, T=1)
  submodel (CurrentControl) motor(T=1)
  submodel (SpeedSensor) sensor
  submodel (IdealGear) gear(ratio=105)
  submodel (SpringDamper) spring(c=5.84e5, d=500)
  submodel (Damper) bearing(d=100)
  submodel (Fixed) housing
  submodel (Inertia) load(J=170)
  connect ramp to gain to error to control to motor to gear to spring to load,
          motor:A to sensor, bearing at (gear:B, housing)
  error.u2 = sensor.w
end
