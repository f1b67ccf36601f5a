{ Signals over time, and functions of signals, for blocks.mo. A signal has the unit of the variable to which it is connected. }

@blocks

model class Signal "source of a signal y"
  main cut out (y)
end

model class (Signal) Const "y = k"
  parameter k "value"
  y = k
end

model class (Signal) Clock "y = time - t0, zero before"
  parameter t0 (unit="s") = 0 "start"
  y = if time < t0 then 0 else time - t0
end

model class (Signal) Step "jumps from offset to offset + height at t0"
  parameter height = 1, offset = 0
  parameter t0 (unit="s") = 0 "time of the jump"
  y = if time < t0 then offset else offset + height
end

model class (Signal) Ramp "rises from offset to offset + height, from t0 on, in the time T"
  parameter height = 1, offset = 0
  parameter T (unit="s", min=1e-300) = 1 "duration"
  parameter t0 (unit="s") = 0 "start"
  y = offset + (if time < t0 then 0 elseif time < t0 + T then height*((time - t0)/T) else height)
end

model class (Signal) Oscillation "signal that oscillates from t0 on"
  constant pi (unit="1") = 3.14159265358979323846
  parameter amplitude = 1, offset = 0
  parameter f (unit="Hz") "frequency"
  parameter phi (unit="rad") = 0 "phase at t0"
  parameter t0 (unit="s") = 0 "start"
end

model class (Oscillation) Sine "offset + amplitude*sin(2*pi*f*(time - t0) + phi), offset before t0"
  y = offset + (if time < t0 then 0 else amplitude*sin(2*pi*f*(time - t0) + phi))
end

model class (Oscillation) Cosine "offset + amplitude*cos(2*pi*f*(time - t0) + phi), offset before t0"
  y = offset + (if time < t0 then 0 else amplitude*cos(2*pi*f*(time - t0) + phi))
end

model class (Oscillation) ExpSine "a sine from t0 on whose amplitude falls with exp(-damping*(time - t0))"
  parameter damping (unit="1/s") "rate of decay"
  local t (unit="s")
  t = time - t0
  y = offset + (if time < t0 then 0 else amplitude*exp(-damping*t)*sin(2*pi*f*t + phi))
end

model class (Signal) Periodic "signal that repeats every T from t0 on; begin is the start of the present period"
  parameter T (unit="s", min=1e-300) "period"
  parameter amplitude = 1, offset = 0
  parameter t0 (unit="s") = 0 "start"
  local begin (unit="s", start=t0)
  when sample(t0, T) then
    new(begin) = time
  endwhen
end

model class (Periodic) Pulse "offset + amplitude during the part width of each period, else offset"
  parameter width (unit="1", min=0, max=1) = 0.5
  y = offset + (if time >= t0 and time < begin + width*T then amplitude else 0)
end

model class (Periodic) SawTooth "rises from offset to offset + amplitude in each period"
  y = offset + (if time < t0 then 0 else amplitude*((time - begin)/T))
end

model class (Periodic) Trapezoid "in each period: rises, stays for the time width, falls, stays at offset"
  parameter rising (unit="s", min=0) = 0, width (unit="s", min=0) = T/2,
            falling (unit="s", min=0) = 0
  y = offset +
      (if time < t0 then 0
       elseif time < begin + rising then amplitude*((time - begin)/max(rising, 1e-300))
       elseif time < begin + rising + width then amplitude
       elseif time < begin + rising + width + falling then
       amplitude*((begin + rising + width + falling - time)/max(falling, 1e-300)) else 0)
end

model class (Signal) TimeTable "y by linear interpolation of points (times, values); the outer values are held"
  parameter n "number of points"
  parameter times(n)(unit="s"), values(n) "points, times ascending"
  y = interp1(noevent(max(times(1), min(times(n), time))), times, values)
end

model class KinematicPTP "from q0 to q1 as fast as possible under limits of speed and acceleration, from t0 on"
  parameter q0 = 0, q1 "positions"
  parameter v_max (min=1e-300), a_max (min=1e-300) "limits of speed and acceleration"
  parameter t0 (unit="s") = 0 "start"
  cut q_out (q), v_out (v), a_out (a)
  main cut W [q_out, v_out, a_out]
  parameter way = abs(q1 - q0)
  { Constant acceleration up to t1, constant speed up to t2, then a deceleration as long as the acceleration. }
  parameter T_up (unit="s") = min(sqrt(way/a_max), v_max/a_max)
  parameter T_down (unit="s") = if way > 0 then way/(a_max*max(T_up, 1e-300)) else 0
  local dir, t (unit="s"), T (unit="s"), s, sv, sa "direction, times, motion along the path"
  local (Boolean) moving
  dir = if q1 < q0 then -1 else 1
  t = time - t0
  T = T_up + T_down
  moving = time >= t0 and time < t0 + T_up + T_down
  sa = if not moving then 0 elseif time < t0 + T_up then a_max elseif time < t0 + T_down then 0
       else -a_max
  sv = if not moving then 0 elseif time < t0 + T_up then a_max*t
       elseif time < t0 + T_down then a_max*T_up else a_max*(T - t)
  s = if time < t0 then 0 elseif time < t0 + T_up then a_max*t^2/2
      elseif time < t0 + T_down then a_max*T_up*(t - T_up/2)
      elseif moving then way - a_max*(T - t)^2/2 else way
  q = q0 + dir*s
  v = dir*sv
  a = dir*sa
end

function longest(q0(:), q1(:), limit(:)) result t "the greatest of abs(q1 - q0)/limit"
  t := 1e-30
  for k = 1..size(q0, 1) do
    t := max(t, abs(q1(k) - q0(k))/limit(k))
  endfor
end

model class KinematicPTP2 "n positions at once from q0 to q1, along one path, as fast as the limits of all allow"
  parameter n "number of positions"
  parameter q0(n) = zeros(n), q1(n) "positions"
  parameter v_max(n), a_max(n) "limits of speed and acceleration"
  parameter t0 (unit="s") = 0 "start"
  cut q_out (q(n)), v_out (v(n)), a_out (a(n))
  main cut W [q_out, v_out, a_out]
  { The path coordinate s goes from 0 to 1: constant acceleration up to T_up, constant speed up to T_down, then as long down as up. }
  parameter T_v = longest(q0, q1, v_max),
            T_a = longest(q0, q1, a_max) "1 over speed, 1 over acceleration of s"
  parameter T_up = min(sqrt(T_a), T_a/T_v),
            T_down = T_a/T_up "end of the acceleration, start of the deceleration"
  local t, s, sv, sa "time since the start; s and its derivatives"
  terminal (Boolean) moving
  t = time - t0
  moving = time >= t0 and time < t0 + T_up + T_down
  sa = if not moving then 0 elseif time < t0 + T_up then 1/T_a elseif time < t0 + T_down then 0
       else -1/T_a
  sv = if not moving then 0 elseif time < t0 + T_up then t/T_a
       elseif time < t0 + T_down then T_up/T_a else (T_up + T_down - t)/T_a
  s = if time < t0 then 0 elseif time < t0 + T_up then t^2/(2*T_a)
      elseif time < t0 + T_down then T_up/T_a*(t - T_up/2)
      elseif moving then 1 - (T_up + T_down - t)^2/(2*T_a) else 1
  q = q0 + (q1 - q0)*s
  v = (q1 - q0)*sv
  a = (q1 - q0)*sa
end

{ --- functions of signals --- }

model class (SISO) Abs "y = abs(u)"
  y = abs(u)
end

model class (SISO) Sign "y is 1, 0 or -1"
  y = if u > 0 then 1 elseif u < 0 then -1 else 0
end

model class (SISO) Sqrt "y = sqrt(u)"
  y = sqrt(u)
end

model class (SISO) Sin "y = sin(u)"
  y = sin(u)
end

model class (SISO) Cos "y = cos(u)"
  y = cos(u)
end

model class (SISO) Tan "y = tan(u)"
  y = tan(u)
end

model class (SISO) Exp "y = exp(u)"
  y = exp(u)
end

model class (SISO) Log "y = log(u), the natural logarithm"
  y = log(u)
end

model class (Two) Atan2 "y = atan2(u1, u2)"
  y = atan2(u1, u2)
end

model class (Two) Min "the smaller of u1 and u2"
  y = min(u1, u2)
end

model class (Two) Max "the larger of u1 and u2"
  y = max(u1, u2)
end
