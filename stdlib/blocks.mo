{ Blocks: signals enter at cut inp and leave at cut out.

  Connect blocks in chains, connect sine to filter to motor, or by equations, filter.u = sine.y. A signal has the unit of the
  variable to which it is connected. States start at y0, or in the steady state with steady=true; initial equations of the
  surrounding model take precedence over both. }

model class InOut "block whose cuts inp and out a subclass declares"
  main cut W [inp, out]
  main path P <inp - out>
end

model class TwoInOut "the same with a second input inp2"
  main cut W [inp, inp2, out]
  main path P <inp - out>
end

model class MeasuredInOut "the same with an input of what is measured"
  main cut W [inp, measured, out]
  main path P <inp - out>
end

model class (InOut) SISO "block with one input u and one output y"
  cut inp (u), out (y)
end

model class (TwoInOut) Two "block of two inputs u1, u2"
  cut inp (u1), inp2 (u2), out (y)
end

model class (InOut) StateSISO "block whose output y is a state, which starts at y0"
  parameter y0 = 0 "y at the start"
  cut inp (u), out (y(start=y0, fixed=false))
end

model class (StateSISO) SteadySISO "the same, which may start in the steady state"
  parameter (Boolean) steady = false "true: starts with der(y) = 0"
  initial
    if steady then
      der(y) = 0
    endif
  endinitial
end

model class (InOut) HeldSISO "block whose output y starts at y0, and is kept between events unless it is a state"
  parameter y0 = 0 "y at the start"
  cut inp (u), out (y(start=y0))
end

model class SteadyStart "block with states x, which may start in the steady state"
  parameter (Boolean) steady = false "true: starts with der(x) = 0"
  initial
    if steady then
      der(x) = 0
    endif
  endinitial
end

{ --- sums and products --- }

model class (SISO) Gain "y = k*u"
  parameter k "factor"
  y = k*u
end

model class (Two) Add "y = k1*u1 + k2*u2"
  parameter k1 = 1, k2 = 1 "factors"
  y = k1*u1 + k2*u2
end

model class (Two) Feedback "y = u1 - u2"
  y = u1 - u2
end

model class (InOut) Sum "y = k'*u, the sum of n signals"
  parameter n = 2 "number of inputs"
  parameter k(n) = ones(n) "factors"
  cut inp (u(n)), out (y)
  y = k'*u
end

model class (Two) Product "y = u1*u2"
  y = u1*u2
end

model class (Two) Division "y = u1/u2"
  y = u1/u2
end

{ --- linear systems --- }

model class (SteadySISO) Integrator "der(y) = k*u"
  parameter k = 1 "factor"
  der(y) = k*u
end

model class (HeldSISO) LimIntegrator "der(y) = k*u, but y stays between ymin and ymax"
  parameter k = 1 "factor"
  parameter ymax, ymin = -ymax "limits"
  local (Boolean) full, empty
  full = y >= ymax and k*u > 0
  empty = y <= ymin and k*u < 0
  der(y) = if full or empty then 0 else k*u
end

model class (SISO, SteadyStart) Derivative "k*s/(T*s + 1), a derivative with first-order lag"
  parameter k = 1 "factor"
  parameter T (unit="s", min=1e-300) = 0.01 "time constant"
  parameter x0 = 0 "x at the start"
  local x (start=x0, fixed=false) "u with lag"
  T*der(x) = u - x
  y = k*((u - x)/T)
end

model class (SteadySISO) FirstOrder "k/(T*s + 1)"
  parameter k = 1 "gain"
  parameter T (unit="s", min=1e-300) "time constant"
  T*der(y) = k*u - y
end

model class (SteadySISO) SecondOrder "k/(s^2/w^2 + 2*D*s/w + 1)"
  parameter k = 1 "gain"
  parameter w (unit="rad/s") "angular frequency"
  parameter D (unit="1") "damping"
  parameter yd0 = 0 "der(y) at the start"
  local yd (start=yd0, fixed=false)
  yd = der(y)
  der(yd) = w*(w*(k*u - y) - 2*D*yd)
  initial
    if steady then
      der(yd) = 0
    endif
  endinitial
end

model class (SISO, SteadyStart) PI "k*(1 + 1/(T*s))"
  parameter k = 1 "gain"
  parameter T (unit="s", min=1e-300) "time constant"
  parameter x0 = 0 "x at the start"
  local x (start=x0, fixed=false)
  T*der(x) = u
  y = k*(x + u)
end

model class (SISO) PID "k*(1 + 1/(Ti*s) + Td*s/(Td/Nd*s + 1))"
  parameter k = 1 "gain"
  parameter Ti (unit="s", min=1e-300) = 0.5 "time constant of the integral part"
  parameter Td (unit="s", min=1e-300) = 0.1 "time constant of the derivative part"
  parameter Nd (unit="1", min=1e-300) = 10 "a larger Nd gives a purer derivative"
  parameter I0 = 0, D0 = 0 "I and D at the start"
  parameter (Boolean) steady = false "true: starts in the steady state"
  local I (start=I0, fixed=false), D (start=D0, fixed=false) "integral; u with lag"
  Ti*der(I) = u
  Td/Nd*der(D) = u - D
  y = k*(u + I + Nd*(u - D))
  initial
    if steady then
      der(I) = 0
      der(D) = 0
    endif
  endinitial
end

{ K. J. Aastroem, T. Haegglund: PID Controllers: Theory, Design, and Tuning, 1995: set-point weights, and anti-windup by
  tracking: the part of the output beyond the limits is fed back to the integral, with the time constant Ni*Ti. }
model class (MeasuredInOut) LimPID
    "PID controller whose output is limited: set-point at inp, measured value at measured"
  parameter k = 1 "gain"
  parameter (Boolean) with_I = true, with_D = true "with an integral, with a derivative part"
  parameter Ti (unit="s", min=1e-300) = 0.5 "time constant of the integral part"
  parameter Td (unit="s", min=0) = 0.1 "time constant of the derivative part"
  parameter ymax, ymin = -ymax "limits of the output"
  parameter wp (unit="1", min=0) = 1,
            wd (unit="1", min=0) = 0 "weights of the set-point: proportional, derivative"
  parameter Ni (unit="1", min=1e-300) = 0.9 "Ni*Ti is the time constant of the anti-windup"
  parameter Nd (unit="1", min=1e-300) = 10 "a larger Nd gives a purer derivative"
  parameter I0 = 0, D0 = 0 "I and D at the start"
  parameter (Boolean) steady = false "true: starts in the steady state"
  cut inp (u), measured (um), out (y)
  terminal I, D "integral and derivative part"
  local raw "output without limits"
  local x (start=D0, fixed=false), z (start=I0, fixed=false)
  raw = k*(wp*u - um + I + D)
  y = if raw > ymax then ymax elseif raw < ymin then ymin else raw
  I = z
  if with_I then
    Ti*der(z) = u - um + (y - raw)/(k*Ni)
  else
    z = 0
  endif
  if with_D then
    Td*der(x) = Nd*(wd*u - um - x)
    D = Nd*(wd*u - um - x)
  else
    x = 0
    D = 0
  endif
  initial
    if steady and with_I then
      der(z) = 0
    endif
    if steady and with_D then
      der(x) = 0
    endif
  endinitial
end

model class Quotient "quotient of two polynomials"
  parameter nb = 1, na = 2 "numbers of coefficients; nb <= na, na >= 2"
  parameter b(nb) = [1] "numerator, highest power first"
  parameter a(na) "denominator, highest power first; a(1) is not zero"
  local bb(na) "numerator with leading zeros"
  assert nb <= na, "the order of the numerator must be at most that of the denominator"
  for k = 1..na - nb do
    bb(k) = 0
  endfor
  bb(na - nb + 1..na) = b
end

model class (SISO, Quotient) TransferFunction
    "transfer function: quotient of two polynomials in s, in controllable canonical form"
  parameter x0(na - 1) = zeros(na - 1) "x at the start"
  local x(na - 1)(start=x0, fixed=false) "states"
  a(1)*der(x(1)) = u - a(2..na)'*x
  for k = 2..na - 1 do
    der(x(k)) = x(k - 1)
  endfor
  y = bb(2..na)'*x + bb(1)*der(x(1))
end

model class (SISO, SteadyStart) StateSpace "der(x) = A*x + B*u, y = C'*x + D*u"
  parameter nx "number of states"
  parameter A(nx, nx), B(nx), C(nx), D = 0
  parameter x0(nx) = zeros(nx) "x at the start"
  local x(nx)(start=x0, fixed=false)
  der(x) = A*x + B*u
  y = C'*x + D*u
end

model class (SteadyStart, InOut) StateSpaceN "der(x) = A*x + B*u, y = C*x + D*u, with vectors of inputs and outputs"
  parameter nx, nu, ny "numbers of states, inputs and outputs"
  parameter A(nx, nx), B(nx, nu), C(ny, nx), D(ny, nu) = zeros(ny, nu)
  parameter x0(nx) = zeros(nx) "x at the start"
  local x(nx)(start=x0, fixed=false)
  cut inp (u(nu)), out (y(ny))
  for k = 1..nx do
    der(x(k)) = A(k, :)'*x + B(k, :)'*u
  endfor
  for k = 1..ny do
    y(k) = C(k, :)'*x + D(k, :)'*u
  endfor
end

{ --- filters: U. Tietze, C. Schenk: Halbleiter-Schaltungstechnik, chapter 15 --- }

model class (SISO, SteadyStart) CriticalDamping "n first-order lags in series; -3 dB at f if normalized"
  parameter n = 2 "order"
  parameter f (unit="Hz") "frequency"
  parameter (Boolean) normalized = true "false: f is the cut-off frequency of each lag"
  parameter x0 = 0 "all states at the start"
  constant pi (unit="1") = 3.14159265358979323846
  local x(n)(start=x0, fixed=false), w (unit="rad/s")
  w = 2*pi*f/(if normalized then sqrt(2^(1/n) - 1) else 1)
  der(x(1)) = w*(u - x(1))
  for k = 2..n do
    der(x(k)) = w*(x(k - 1) - x(k))
  endfor
  y = x(n)
end

model class (SISO, SteadyStart) Butterworth "low-pass of order n, maximally flat, -3 dB at f"
  parameter n = 2 "order"
  parameter f (unit="Hz") "cut-off frequency"
  constant pi (unit="1") = 3.14159265358979323846
  local x(n)(start=0, fixed=false), w (unit="rad/s")
  w = 2*pi*f
  { Pairs of states, each of second order with the damping of two poles on the circle; an odd order has a single one at the end. }
  for k = 1..floor(n/2) do
    der(x(2*k - 1)) = w*x(2*k)
    if k == 1 then
      der(x(2*k)) = w*(u - x(2*k - 1) - 2*sin(pi*(2*k - 1)/(2*n))*x(2*k))
    else
      der(x(2*k)) = w*(x(2*k - 3) - x(2*k - 1) - 2*sin(pi*(2*k - 1)/(2*n))*x(2*k))
    endif
  endfor
  if n == 1 then
    der(x(1)) = w*(u - x(1))
    y = x(1)
  elseif mod(n, 2) == 1 then
    der(x(n)) = w*(x(n - 2) - x(n))
    y = x(n)
  else
    y = x(n - 1)
  endif
end

{ --- nonlinear blocks --- }

model class (SISO) Limiter "u between ymin and ymax"
  parameter ymax, ymin = -ymax "limits"
  assert ymax >= ymin, "ymax of a Limiter must be at least ymin"
  y = if u > ymax then ymax elseif u < ymin then ymin else u
end

model class (SISO) DeadZone "zero between umin and umax, linear beyond"
  parameter umax, umin = -umax "ends of the dead zone"
  y = if u > umax then u - umax elseif u < umin then u - umin else 0
end

model class (StateSISO) RateLimiter "y follows u, with der(y) limited to falling .. rising"
  parameter rising, falling = -rising "largest and smallest der(y)"
  parameter T (unit="s", min=1e-300) = 0.001 "time constant with which y follows u"
  local rate
  rate = (u - y)/T
  der(y) = if rate > rising then rising elseif rate < falling then falling else rate
end

model class Switch "y is u1 while c is true, else u2"
  cut inp (u1), inp2 (u2), choice (c), out (y)
  main cut W [inp, inp2, choice, out]
  main path P <inp - out>
  terminal (Boolean) c
  y = if c then u1 else u2
end

model class (SISO) Table1D "y by linear interpolation of points (xs, ys), extrapolated beyond the ends"
  parameter n "number of points"
  parameter xs(n), ys(n) "points, xs ascending"
  y = interp1(u, xs, ys)
end

model class (Two) Table2D "y by linear interpolation in both directions, at (u1, u2), extrapolated beyond the ends"
  parameter n1, n2 "numbers of points"
  parameter xs(n1), ys(n2) "points of u1 and of u2, ascending"
  parameter Z(n1, n2) "values, a row for each of xs"
  y = interp2(u1, u2, xs, ys, Z)
end

{ --- logic: signals that are true or false --- }

model class (TwoInOut) Logic2 "block of two truth values"
  cut inp (u1), inp2 (u2), out (y)
  terminal (Boolean) u1, u2, y
end

model class (Logic2) And "y = u1 and u2"
  y = u1 and u2
end

model class (Logic2) Or "y = u1 or u2"
  y = u1 or u2
end

model class (Logic2) Xor "y is true where u1 and u2 differ"
  y = u1 <> u2
end

model class (InOut) Logic1 "block with one truth value as input and as output"
  cut inp (u), out (y)
  terminal (Boolean) u, y
end

model class (Logic1) Not "y = not u"
  y = not u
end

model class (TwoInOut) Latch "y becomes true with u1 (set) and false with u2 (reset), which has priority"
  parameter (Boolean) y0 = false "y at the start"
  cut inp (u1), inp2 (u2), out (y)
  terminal (Boolean) u1, u2, y (start=y0)
  new(y) = not u2 and (u1 or y)
end

model class (InOut) Threshold "y = u > limit"
  parameter limit = 0
  cut inp (u), out (y)
  terminal (Boolean) y
  y = u > limit
end

model class (TwoInOut) Greater "y = u1 > u2"
  cut inp (u1), inp2 (u2), out (y)
  terminal (Boolean) y
  y = u1 > u2
end

model class (InOut) Hysteresis "y becomes true above high and false below low"
  parameter low, high "bounds"
  parameter (Boolean) y0 = false "y at the start"
  cut inp (u), out (y)
  terminal (Boolean) y (start=y0)
  new(y) = u > high or y and u >= low
end

model class (MeasuredInOut) OnOff
    "two-point controller: y is true below the reference u1, less or more half the bandwidth, of u2"
  parameter bandwidth (min=0) "distance between the two switching points"
  parameter (Boolean) y0 = false "y at the start"
  cut inp (u1), measured (u2), out (y)
  terminal (Boolean) y (start=y0)
  new(y) = y and u2 < u1 + bandwidth/2 or u2 < u1 - bandwidth/2
end

model class (InOut) BooleanToReal "y = if u then high else low"
  parameter high = 1, low = 0
  cut inp (u), out (y)
  terminal (Boolean) u
  y = if u then high else low
end

{ --- sampling --- }

model class Sampled "base of blocks that act at the instants t0 + k*T"
  parameter T (unit="s", min=1e-300) "time between samples"
  parameter t0 (unit="s") = 0 "first sample"
end

model class (Sampled, HeldSISO) SampledSISO
    "sampled block with one input and one output, which is y0 before the first sample"
end

model class (SampledSISO) ZeroOrderHold "sample and hold: y is u at the last instant t0 + k*T"
  when sample(t0, T) then
    new(y) = u
  endwhen
end

model class (SampledSISO) UnitDelay "unit delay: y is u at the last but one instant t0 + k*T"
  local held (start=y0) "u at the last sample"
  when sample(t0, T) then
    new(held) = u
    new(y) = held
  endwhen
end

model class (HeldSISO) Mean "mean value of u over one period, known at its end"
  parameter f (unit="Hz", min=1e-300) "frequency"
  parameter t0 (unit="s") = 0 "start of the first period"
  local x (start=0) "integral of u since the start of the period"
  der(x) = u
  when sample(t0 + 1/f, 1/f) then
    new(y) = f*x
    init(x) = 0
  endwhen
end

model class (SISO) Delay "y(t) = u(t - T)"
  parameter T (unit="s", min=1e-300) "delay"
  y = delay(u, T)
end
