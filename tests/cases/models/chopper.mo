{ A step-down chopper: a switch that a pulse width modulation of 1 kHz opens and closes, a diode, a filter, and a load of resistor and inductor. The duty cycle
  rises slowly. }

@electrical

model class PulseWidthModulation "fire is true in the first part of each period; the part is read at its begin"
  parameter f (unit="Hz") = 1000
  terminal dutyCycle
  terminal fire
  local width (unit="s"), begin (unit="s")
  when sample(0, 1/f) then
    new(begin) = time
    new(width) = dutyCycle/f
  endwhen
  fire = time < begin + width
end

model class Mean "mean value over each period"
  parameter f (unit="Hz") = 1000
  terminal u
  output y (start=0)
  local x (start=0)
  der(x) = u
  when sample(1/f, 1/f) then
    new(y) = f*x
    init(x) = 0
  endwhen
end

model class ChopperStepDown "at (positive, negative in; positive out)"
  cut (Pin) p1, n, p2
  main cut W [p1, n, p2]
  submodel (IdealGTO) transistor
  submodel (IdealDiode) diode
  connect p1 to transistor to p2, n to diode to p2
end

model ChopperStepDownRL
  parameter V (unit="V") = 60, L (unit="H") = 25e-3, C (unit="F") = 20e-6, RLoad (unit="Ohm") = 10,
            LLoad (unit="H") = 25e-3, VC (unit="V") = 12
  submodel (VConst) source(V=V)
  submodel (ChopperStepDown) chopper
  submodel (PulseWidthModulation) pwm
  submodel (Inductor) inductor(L=L), inductorLoad(L=LLoad)
  submodel (Capacitor) capacitor(C=C, u0=VC)
  submodel (Resistor) load(R=RLoad)
  submodel (Mean) meanCurrent, meanVoltage
  submodel (Ground) g
  node p, n, out, c
  terminal vDC2 (unit="V"), iDC1 (unit="A")
  connect source at (p, n), g at n, chopper at (p, n, out),
          out to inductor to c, capacitor at (c, n), c to load to inductorLoad to n
  chopper.transistor.fire = pwm.fire
  pwm.dutyCycle = if time < 0.025 then 0 elseif time < 0.075 then 0.2*(time - 0.025)/0.05 else 0.2
  vDC2 = -chopper.diode.u
  iDC1 = -source.i
  meanCurrent.u = load.i
  meanVoltage.u = load.Va
end
