{ A step-down converter from 48 V to 12 V at 200 kHz. Its controller samples the output voltage once in each period and computes
  how long the switch conducts; the load doubles in the middle of the run. }

@electrical

model class Controller "proportional and integral, limited, without windup"
  parameter T (unit="s") = 5e-6 "period"
  parameter k (unit="1/V") = 0.05, Ti (unit="s") = 2e-4, most = 0.95
  input e (unit="V")
  output (Boolean) gate
  local sum (start=0), duty (start=0), begin (unit="s", start=0)
  when sample(0, T) then
    new(begin) = time
    new(duty) = max(0, min(most, k*e + sum))
    new(sum) = sum + k*T/Ti*e + (new(duty) - k*e - sum)*T/Ti
  endwhen
  gate = time < begin + duty*T
end

model Converter
  submodel (VConst) source(V=48)
  submodel (ClosingSwitch) s(Ron=10e-3, Goff=1e-6), second
  submodel (IdealDiode) diode(Ron=10e-3, Goff=1e-6)
  submodel (Inductor) coil(L=22e-6)
  submodel (Capacitor) C(C=100e-6)
  submodel (Resistor) load(R=2), more(R=2)
  submodel (Ground) g
  submodel (Controller) c
  node plus, minus, middle, out
  connect source at (plus, minus), g at minus, s at (plus, middle), diode at (minus, middle),
          coil at (middle, out),
          C at (out, minus), load at (out, minus), second at (out, more:A), more:B at minus
  c.e = 12 - load.u
  s.closed = c.gate
  second.closed = time > 5e-3
end
