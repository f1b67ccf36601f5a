{ Diodes, thyristors and switches with piecewise linear characteristics, and operational amplifiers.

  The characteristic of a switch is a curve in the plane of u and i with the parameter s: voltage and current are linear in s, with one pair of
  slopes where it conducts and another where it blocks. This form includes ideal switches: Ron = 0, Goff = 0. Clauss, Elmqvist, Mattsson, Otter:
  Mixed Domain Modeling in Modelica, 2002. Branches change at events; branches that depend on each other are found by iteration. }

@electrical

model class (TwoPin) IdealSwitch "common part of switches: s, and off, which is the branch of the characteristic"
  constant one_V (unit="V") = 1, one_A (unit="A") = 1
  parameter Ron (unit="Ohm", min=0) = 1e-5 "resistance where it conducts"
  parameter Goff (unit="S", min=0) = 1e-5 "conductance where it blocks"
  parameter Vknee (unit="V", min=0) = 0 "voltage at which it starts to conduct"
  local s (unit="1") "path parameter"
  terminal (Boolean) off "it blocks"
  u = s*(if off then one_V else Ron*one_A) + Vknee
  i = s*(if off then Goff*one_V else one_A) + Goff*Vknee
end

{ --- diodes and thyristors --- }

model class (IdealSwitch) IdealDiode "conducts from A to B"
  off = s < 0
end

model class (IdealSwitch) IdealThyristor "conducts from A to B once it is fired, until the current would reverse"
  terminal (Boolean) fire "fires it while true; set from outside"
  local (Boolean) blocked (start=true) "it blocked before"
  off = s < 0 or blocked and not fire
  new(blocked) = off
end

model class (IdealSwitch) IdealGTO "a thyristor that can be turned off: it conducts from A to B while fire is true"
  terminal (Boolean) fire "lets it conduct while true; set from outside"
  off = s < 0 or not fire
end

model class (IdealSwitch) ControlledThyristor "a thyristor that is fired by the potential at gate"
  cut (Pin) gate (Vg / ig)
  parameter level (unit="V") = 0.5 "fired above it"
  ig = 0
  local (Boolean) blocked (start=true) "it blocked before"
  off = s < 0 or blocked and Vg <= level
  new(blocked) = off
end

{ --- switches --- }

model class (IdealSwitch) OpeningSwitch "does not conduct while open is true"
  terminal (Boolean) open "set from outside"
  off = open
end

model class (IdealSwitch) ClosingSwitch "conducts while closed is true"
  terminal (Boolean) closed "set from outside"
  off = not closed
end

model class (IdealSwitch) ControlledOpeningSwitch "does not conduct while the potential at control is above level"
  cut (Pin) control (Vc / ic)
  parameter level (unit="V") = 0.5
  ic = 0
  off = Vc > level
end

model class (IdealSwitch) ControlledClosingSwitch "conducts while the potential at control is above level"
  cut (Pin) control (Vc / ic)
  parameter level (unit="V") = 0.5
  ic = 0
  off = Vc <= level
end

{ --- operational amplifiers; at (non-inverting, inverting, output) --- }

model class OpAmp "amplifier with a large gain, whose output is limited smoothly to [Vmin, Vmax]"
  cut (Pin) P (V1 / i1), N (V2 / i2), O (V3 / i3)
  main cut W [P, N, O]
  parameter k = 1e4 "gain at input zero"
  parameter Vmax (unit="V") = 15, Vmin (unit="V") = -15 "limits of the output"
  local x (unit="1") "amplified input, relative to half the output range"
  constant half_pi = 1.57079632679489661923
  x = 2*k*(V1 - V2)/(Vmax - Vmin)
  V3 = (Vmax + Vmin)/2 + (Vmax - Vmin)/2*atan(half_pi*x)/half_pi
  i1 = 0
  i2 = 0
end

model class OpAmpLimited
    "ideal amplifier while its output is within [Vmin, Vmax], else at that limit; for positive feedback see OpAmpSlew"
  cut (Pin) P (V1 / i1), N (V2 / i2), O (V3 / i3)
  main cut W [P, N, O]
  parameter Vmax (unit="V") = 15, Vmin (unit="V") = -15 "limits of the output"
  local s (unit="V") "path parameter: the output, and beyond the limits the input"
  V3 = if s > Vmax then Vmax elseif s < Vmin then Vmin else s
  V1 - V2 = if s > Vmax then s - Vmax elseif s < Vmin then s - Vmin else 0
  i1 = 0
  i2 = 0
end

model class OpAmpSupplied
    "as OpAmpLimited, with the limits at pins; at (non-inverting, inverting, output, positive, negative supply)"
  cut (Pin) P (V1 / i1), N (V2 / i2), O (V3 / i3), U (Vmax / imax), L (Vmin / imin)
  main cut W [P, N, O, U, L]
  local s (unit="V") "path parameter: the output, and beyond the limits the input"
  V3 = if s > Vmax then Vmax elseif s < Vmin then Vmin else s
  V1 - V2 = if s > Vmax then s - Vmax elseif s < Vmin then s - Vmin else 0
  i1 = 0
  i2 = 0
  { the current out of the output comes from one of the supplies }
  imax = if i3 < 0 then -i3 else 0
  imin = if i3 < 0 then 0 else -i3
end

model class OpAmpSlew
    "integrating amplifier with limited slope: der(V3) = 2*pi*f1*(V1 - V2), within [-slope, slope], while the output is within its limits"
  constant pi (unit="1") = 3.14159265358979323846
  cut (Pin) P (V1 / i1), N (V2 / i2), O (V3(start=V0) / i3)
  main cut W [P, N, O]
  parameter f1 (unit="Hz") = 1e6 "frequency of unity gain"
  parameter slope (unit="V/s") = 5e5 "largest slope of the output"
  parameter Vmax (unit="V") = 15, Vmin (unit="V") = -15 "limits of the output"
  parameter V0 (unit="V") = 0 "output at the start"
  local rate (unit="V/s") "value of the input before the limits"
  rate = max(-slope, min(slope, 2*pi*f1*(V1 - V2)))
  der(V3) = if V3 >= Vmax and rate > 0 or V3 <= Vmin and rate < 0 then 0 else rate
  i1 = 0
  i2 = 0
end
