{ Signals that are true or false over time: sources, edges, delays, flip-flops, counters and pulse-width modulation. And, Or, Xor,
  Not, Latch, Threshold, Greater, Hysteresis and OnOff are in blocks.mo. }

@blocks

model class BooleanSignal "source of a truth value"
  main cut out (y)
  terminal (Boolean) y
end

{ --- sources --- }

model class (BooleanSignal) BooleanConst "y = k"
  parameter (Boolean) k = true
  y = k
end

model class (BooleanSignal) BooleanStep "changes from y0 to not y0 at t0"
  parameter t0 (unit="s") = 0 "time of the change"
  parameter (Boolean) y0 = false "y before t0"
  y = time >= t0 and not y0 or time < t0 and y0
end

model class (BooleanSignal) BooleanPulse "true during the part width of each period, from t0 on"
  parameter T (unit="s", min=1e-300) "period"
  parameter width (unit="1", min=0, max=1) = 0.5 "part of the period"
  parameter t0 (unit="s") = 0 "start of the first period"
  local begin (unit="s", start=t0) "start of the period"
  when sample(t0, T) then
    new(begin) = time
  endwhen
  y = time >= t0 and (width >= 1 or time < begin + width*T)
end

model class (BooleanSignal) BooleanTable "changes at each of n times"
  parameter n "number of times"
  parameter times(n)(unit="s") "times of the changes, ascending"
  parameter (Boolean) y0 = false "y before the first change"
  local (Boolean) changed(n) "y after the changes up to each one"
  changed(1) = y0 <> (time >= times(1))
  for k = 2..n do
    changed(k) = changed(k - 1) <> (time >= times(k))
  endfor
  y = changed(n)
end

{ --- edges and delays --- }

model class (Logic1) Timer "base of blocks that measure the time since an edge"
  parameter T (unit="s", min=1e-300) "duration"
  constant never (unit="s") = 1e300
end

model class (Timer) EdgePulse "base of blocks that show edges: true for the time T after each"
  local since (unit="s", start=-never) "instant of the latest edge"
  y = time >= since and time < since + T
end

model class (EdgePulse) RisingEdge "true for the time T after u has become true; an edge during this time extends it"
  when u then
    new(since) = time
  endwhen
end

model class (EdgePulse) FallingEdge "true for the time T after u has become false; an edge during this time extends it"
  when not u then
    new(since) = time
  endwhen
end

model class (EdgePulse) AnyEdge "true for the time T after u has changed; a change during this time extends it"
  when u then
    new(since) = time
  elsewhen not u then
    new(since) = time
  endwhen
end

model class (Timer) OnDelay "becomes true when u has been true for the time T; becomes false with u"
  local since (unit="s", start=never) "instant at which u became true, while it is true"
  new(since) = if not u then never elseif since < never then since else time
  y = u and time >= since + T
end

model class (Timer) OffDelay "becomes true with u; becomes false when u has been false for the time T"
  local since (unit="s", start=-never) "instant at which u became false, while it is false"
  new(since) = if u then never elseif since < never then since else time
  y = u or time < since + T
end

{ --- flip-flops and counters --- }

model class FlipFlop "base of flip-flops: y, and its negation yn"
  parameter (Boolean) y0 = false "y at the start"
  cut out (y), negated (yn)
  terminal (Boolean) y (start=y0), yn
  yn = not y
end

model class (FlipFlop, TwoInOut) SRFlipFlop "y becomes true with u1 (set) and false with u2 (reset)"
  parameter (Boolean) set_first = false "true: set has priority; false: reset"
  cut inp (u1), inp2 (u2)
  terminal (Boolean) u1, u2
  new(y) = if set_first then u1 or y and not u2 else not u2 and (u1 or y)
end

model class (FlipFlop) DFlipFlop
    "y takes the value of u when c (clock) becomes true; a chain of them is a shift register"
  cut inp (u), clock (c)
  main cut W [inp, clock, out]
  main path P <inp - out>
  terminal (Boolean) u, c
  when c then
    new(y) = u
  endwhen
end

model class (FlipFlop, InOut) TFlipFlop "y changes each time u becomes true"
  cut inp (u)
  terminal (Boolean) u
  when u then
    new(y) = not y
  endwhen
end

model class (InOut) Counter "counts how often u becomes true; r (reset) sets it to y0"
  parameter y0 = 0 "value at the start and after a reset"
  parameter last = 1e300 "greatest value: y0 follows it"
  cut inp (u), reset (r), out (y(start=y0))
  terminal (Boolean) u
  terminal (Boolean) r
  default r = false
  when r then
    new(y) = y0
  elsewhen u and not r then
    new(y) = if y >= last then y0 else y + 1
  endwhen
end

model class (TwoInOut) UpDownCounter "counts up when u1 becomes true, and down when u2 becomes true"
  parameter y0 = 0 "value at the start"
  cut inp (u1), inp2 (u2), out (y(start=y0))
  terminal (Boolean) u1, u2
  new(y) = y + (if edge(u1) then 1 else 0) - (if edge(u2) then 1 else 0)
end

{ --- pulse-width modulation --- }

model class (InOut) Modulator "base of modulators: u is read at the start of each period"
  parameter f (unit="Hz", min=1e-300) "frequency"
  parameter t0 (unit="s") = 0 "start of the first period"
  cut inp (u), out (y)
  terminal (Boolean) y
  local begin (unit="s", start=t0),
        d (unit="1", start=0) "start of the period; u, limited to 0 .. 1"
  when sample(t0, 1/f) then
    new(begin) = time
    new(d) = max(0, min(1, u))
  endwhen
end

model class (Modulator) PWM "pulse-width modulation: true during the first part u of each period"
  y = d >= 1 or time >= begin and time < begin + d/f
end

model class (Modulator) CenteredPWM "pulse-width modulation: true during the part u in the middle of each period"
  y = d >= 1 or time >= begin + (1 - d)/(2*f) and time < begin + (1 + d)/(2*f)
end
