{ Voltages and currents as given functions of time. A is the positive pin of a voltage source; the current of a current source
  flows through it from A to B. Jumps and kinks are events. }

@electrical

{ --- voltages --- }

model class (VoltageSource) VCosine "voltage V0 + V*cos(2*pi*f*time + phi)"
  constant pi (unit="1") = 3.14159265358979323846
  parameter V0 (unit="V") = 0 "mean value"
  parameter V (unit="V") "amplitude"
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at time 0"
  u = V0 + small_signal(ac) + V*cos(2*pi*f*time + phi)
end

model class (VoltageSource) VRamp "voltage that rises from V0 to V0 + V between t0 and t0 + T"
  parameter V0 (unit="V") = 0 "voltage before t0"
  parameter V (unit="V") "height of the ramp"
  parameter t0 (unit="s") = 0 "time at which it starts"
  parameter T (unit="s") "how long it takes"
  u = V0 + small_signal(ac) + (if time < t0 then 0 elseif time < t0 + T then V*(time - t0)/T else V)
end

model class (VoltageSource) VExp "voltage V0 + V*exp(-(time - t0)/T) from t0 on"
  parameter V0 (unit="V") = 0 "voltage at the end"
  parameter V (unit="V") "height at t0"
  parameter t0 (unit="s") = 0 "time at which it starts"
  parameter T (unit="s") "time constant"
  u = V0 + small_signal(ac) + (if time < t0 then 0 else V*exp(-(time - t0)/T))
end

model class (VoltageSource) VRiseFall
    "voltage that rises by V with one time constant for a time, and falls with another"
  parameter V0 (unit="V") = 0 "voltage before t0"
  parameter V (unit="V") "height that it approaches"
  parameter t0 (unit="s") = 0 "time at which it starts to rise"
  parameter rise (unit="s") "how long it rises"
  parameter Tr (unit="s"), Tf (unit="s") = Tr "time constants of rise and fall"
  u = V0 + small_signal(ac) +
      (if time < t0 then 0 elseif time < t0 + rise then V*(1 - exp(-(time - t0)/Tr))
       else V*(1 - exp(-rise/Tr))*exp(-(time - t0 - rise)/Tf))
end

model class (VoltageSource) VExpSine "damped sine V0 + V*exp(-d*(time - t0))*sin(2*pi*f*(time - t0) + phi) from t0 on"
  constant pi (unit="1") = 3.14159265358979323846
  parameter V0 (unit="V") = 0 "mean value"
  parameter V (unit="V") "amplitude at t0"
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at t0"
  parameter d (unit="1/s") "damping"
  parameter t0 (unit="s") = 0 "time at which it starts"
  u = V0 + small_signal(ac) +
      (if time < t0 then 0 else V*exp(-d*(time - t0))*sin(2*pi*f*(time - t0) + phi))
end

model class (VoltageSource) VTable
    "voltage by linear interpolation of points; constant before the first and after the last"
  parameter n = 2 "number of points"
  parameter times(n)(unit="s") "ascending"
  parameter V(n)(unit="V") "voltages"
  u = interp1(max(times(1), min(times(n), time)), times, V) + small_signal(ac)
end

{ --- currents --- }

model class (CurrentSource) ISine "current I0 + I*sin(2*pi*f*time + phi)"
  constant pi (unit="1") = 3.14159265358979323846
  parameter I0 (unit="A") = 0 "mean value"
  parameter I (unit="A") "amplitude"
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at time 0"
  i = I0 + small_signal(ac) + I*sin(2*pi*f*time + phi)
end

model class (CurrentSource) ICosine "current I0 + I*cos(2*pi*f*time + phi)"
  constant pi (unit="1") = 3.14159265358979323846
  parameter I0 (unit="A") = 0 "mean value"
  parameter I (unit="A") "amplitude"
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at time 0"
  i = I0 + small_signal(ac) + I*cos(2*pi*f*time + phi)
end

model class (CurrentSource) IRamp "current that rises from I0 to I0 + I between t0 and t0 + T"
  parameter I0 (unit="A") = 0 "current before t0"
  parameter I (unit="A") "height of the ramp"
  parameter t0 (unit="s") = 0 "time at which it starts"
  parameter T (unit="s") "how long it takes"
  i = I0 + small_signal(ac) + (if time < t0 then 0 elseif time < t0 + T then I*(time - t0)/T else I)
end

model class (CurrentSource) IExp "current I0 + I*exp(-(time - t0)/T) from t0 on"
  parameter I0 (unit="A") = 0 "current at the end"
  parameter I (unit="A") "height at t0"
  parameter t0 (unit="s") = 0 "time at which it starts"
  parameter T (unit="s") "time constant"
  i = I0 + small_signal(ac) + (if time < t0 then 0 else I*exp(-(time - t0)/T))
end

model class (CurrentSource) ITable
    "current by linear interpolation of points; constant before the first and after the last"
  parameter n = 2 "number of points"
  parameter times(n)(unit="s") "ascending"
  parameter I(n)(unit="A") "currents"
  i = interp1(max(times(1), min(times(n), time)), times, I) + small_signal(ac)
end

{ --- periodic signals --- }

model class Periods "counts periods of T from t0 on; the time since the start of the present one is time - begin"
  parameter T (unit="s") "period"
  parameter t0 (unit="s") = 0 "time at which the first starts"
  local begin (unit="s", start=t0) "start of the present period"
  when sample(t0, T) then
    new(begin) = time
  endwhen
end

model class (VoltageSource, Periods) VPulse "voltage V0 + V for the first part of each period, V0 in the rest"
  parameter V0 (unit="V") = 0 "lower voltage, also before t0"
  parameter V (unit="V") "height of the pulses"
  parameter width = 0.5 "fraction of the period that a pulse takes"
  u = V0 + small_signal(ac) + (if time < t0 then 0 elseif time < begin + width*T then V else 0)
end

model class (VoltageSource, Periods) VSawtooth "voltage that rises by V in each period and falls back"
  parameter V0 (unit="V") = 0 "lower voltage, also before t0"
  parameter V (unit="V") "height"
  u = V0 + small_signal(ac) + (if time < t0 then 0 else V*(time - begin)/T)
end

model class (VoltageSource, Periods) VTrapezoid "voltage that rises, stays, falls and stays in each period"
  parameter V0 (unit="V") = 0 "lower voltage, also before t0"
  parameter V (unit="V") "height"
  parameter rise (unit="s"), hold (unit="s"),
            fall (unit="s") "how long it rises, stays above, and falls"
  u = V0 + small_signal(ac) +
      (if time < t0 then 0 elseif time < begin + rise then V*(time - begin)/rise
       elseif time < begin + rise + hold then V
       elseif time < begin + rise + hold + fall then V*(begin + rise + hold + fall - time)/fall
       else 0)
end

model class (CurrentSource, Periods) IPulse "current I0 + I for the first part of each period, I0 in the rest"
  parameter I0 (unit="A") = 0 "lower current, also before t0"
  parameter I (unit="A") "height of the pulses"
  parameter width = 0.5 "fraction of the period that a pulse takes"
  i = I0 + small_signal(ac) + (if time < t0 then 0 elseif time < begin + width*T then I else 0)
end

model class (CurrentSource, Periods) ISawtooth "current that rises by I in each period and falls back"
  parameter I0 (unit="A") = 0 "lower current, also before t0"
  parameter I (unit="A") "height"
  i = I0 + small_signal(ac) + (if time < t0 then 0 else I*(time - begin)/T)
end

model class (CurrentSource, Periods) ITrapezoid "current that rises, stays, falls and stays in each period"
  parameter I0 (unit="A") = 0 "lower current, also before t0"
  parameter I (unit="A") "height"
  parameter rise (unit="s"), hold (unit="s"),
            fall (unit="s") "how long it rises, stays above, and falls"
  i = I0 + small_signal(ac) +
      (if time < t0 then 0 elseif time < begin + rise then I*(time - begin)/rise
       elseif time < begin + rise + hold then I
       elseif time < begin + rise + hold + fall then I*(begin + rise + hold + fall - time)/fall
       else 0)
end
