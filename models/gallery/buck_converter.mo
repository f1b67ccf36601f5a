{ A buck converter whose output voltage a digital controller holds: it acts once in each period of the pulse-width
  modulation and adds to the duty of the operating point. }

@electrical
@logic
@discrete

model BuckConverter "12 V to 5 V at 100 kHz, digital PI controller, a load that jumps"
  parameter T (unit="s") = 10 us "period of the modulation and of the controller"
  parameter V0 (unit="V") = 12, reference (unit="V") = 5
  parameter k = 0.02, Ti (unit="s") = 100 us "gain, time constant of the integral part"
  parameter t1 (unit="s") = 200 us "time at which the second load is connected"
  submodel (VConst) V(V=V0)
  submodel (ClosingSwitch) high(Ron=20 mOhm, Goff=0), second(Ron=0, Goff=0)
  submodel (IdealDiode) low(Ron=20 mOhm, Goff=0)
  submodel (Inductor) L(L=100 uH, i0=2.35)
  submodel (Capacitor) C(C=100 uF, u0=5)
  submodel (Resistor) R1(R=2), R2(R=2)
  submodel (VoltageSensor) meter
  submodel (Ground) g
  submodel (DiscretePID) pi(T=T, t0=T/2, k=k, Ti=Ti, ymin=-0.3, ymax=0.5)
  submodel (PWM) pwm(f=1/T)
  node p, n, a, o
  connect V at (p, n), g at n, high at (p, a), low at (n, a), L at (a, o), C at (o, n),
          R1 at (o, n),
          o to second to R2 to n, meter at (o, n)
  pi.u = reference
  pi.um = meter.u
  pwm.u = reference/V0 + pi.y
  high.closed = pwm.y
  second.closed = time >= t1
  experiment (stop=2 ms, points=4001, rtol=1e-8, atol=1e-9)
end
