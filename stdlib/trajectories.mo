{ Motions with their first and second derivatives: q, v and a, as a joint or a controller needs them. Motions as fast as limits of
  speed and acceleration allow (trapezoids of speed) are KinematicPTP and KinematicPTP2 of sources.mo. }

@sources

model class Trajectory "base of motions: position q, its derivatives v and a"
  cut q_out (q), v_out (v), a_out (a)
  main cut W [q_out, v_out, a_out]
end

{ With h = q1 - q0 - v0*T - a0*T^2/2 and the like the polynomial meets the values at both ends. }
model class (Trajectory) Quintic
    "polynomial of degree 5 from q0 to q1 in the time T, with given speeds and accelerations at its ends"
  parameter q0 = 0, q1 "positions"
  parameter v0 = 0, v1 = 0, a0 = 0, a1 = 0 "speeds and accelerations at the ends"
  parameter T (unit="s", min=1e-300) "duration"
  parameter t0 (unit="s") = 0 "start; before it q is q0 and at rest, after the end q is q1 and at rest"
  local s (unit="1"), c(3) "time since the start, as a part of T; coefficients of s^3, s^4, s^5"
  local h, hv, ha "what the first three terms lack at the end: of q, v*T, a*T^2"
  local (Boolean) moving
  moving = time >= t0 and time < t0 + T
  s = (time - t0)/T
  h = q1 - q0 - v0*T - a0*T^2/2
  hv = v1*T - v0*T - a0*T^2
  ha = a1*T^2 - a0*T^2
  c(1) = 10*h - 4*hv + ha/2
  c(2) = -15*h + 7*hv - ha
  c(3) = 6*h - 3*hv + ha/2
  q = if moving then q0 + v0*T*s + a0*T^2/2*s^2 + s^3*(c(1) + s*(c(2) + s*c(3)))
      elseif time < t0 then q0 else q1
  v = if moving then v0 + a0*T*s + s^2*(3*c(1) + s*(4*c(2) + s*5*c(3)))/T else 0
  a = if moving then a0 + s*(6*c(1) + s*(12*c(2) + s*20*c(3)))/T^2 else 0
end

model class (Trajectory) CubicSpline
    "through n points, with continuous acceleration; at rest before the first and after the last"
  parameter n "number of points, at least 2"
  parameter times(n)(unit="s"), points(n) "points, times ascending"
  parameter (Boolean) natural = false "true: no acceleration at both ends; false: the speeds v0 and v1 there"
  parameter v0 = 0, v1 = 0 "speeds at the ends"
  parameter M(n) = spline_accelerations(times, points, natural, v0, v1) "accelerations at the points"
  local (Boolean) moving
  assert ascending(times), "the times of a CubicSpline must ascend"
  moving = time >= times(1) and time < times(n)
  q = if moving then spline(time, times, points, M) elseif time < times(1) then points(1)
      else points(n)
  v = if moving then spline_slope(time, times, points, M) else 0
  a = if moving then interp1(time, times, M) else 0
end

function ascending(x(:)) result(Boolean) y "true if each number is larger than the one before"
  y := true
  for k = 2..size(x, 1) do
    y := y and x(k) > x(k - 1)
  endfor
end

{ The equations of the accelerations have three diagonals; C. de Boor: A Practical Guide to Splines, 1978, chapter IV. }
function spline_accelerations(t(:), q(:), (Boolean) natural, v0, v1) result M(size(t, 1))
    "second derivatives at the points"
  local c(size(t, 1)), h, slope, before = v0, pivot
  { Forward: c holds the eliminated upper diagonal, M the right side. }
  h := 0
  pivot := 1
  for k = 1..size(t, 1) do
    if k < size(t, 1) then
      slope := (q(k + 1) - q(k))/(t(k + 1) - t(k))
      h := t(k + 1) - t(k)
    else
      slope := v1
      h := 0
    endif
    if natural and (k == 1 or k == size(t, 1)) then
      c(k) := 0
      M(k) := 0
    elseif k == 1 then
      c(k) := 0.5
      M(k) := 3*(slope - before)/h
    else
      pivot := 2*(t(k) - t(k - 1) + h) - (t(k) - t(k - 1))*c(k - 1)
      c(k) := h/pivot
      M(k) := (6*(slope - before) - (t(k) - t(k - 1))*M(k - 1))/pivot
    endif
    before := slope
  endfor
  for i = 1..size(t, 1) - 1 do
    M(size(t, 1) - i) := M(size(t, 1) - i) - c(size(t, 1) - i)*M(size(t, 1) - i + 1)
  endfor
end

function interval(x, t(:)) result(Integer) k "the interval t(k) .. t(k + 1) with x; the first or the last one outside"
  local (Integer) high = size(t, 1), middle
  k := 1
  while high - k > 1 do
    middle := floor((k + high)/2)
    if t(middle) <= x then
      k := middle
    else
      high := middle
    endif
  endwhile
end

function spline(x, t(:), q(:), M(:)) result y "the spline at x, from its points and their accelerations"
  local (Integer) k = interval(x, t)
  local h = t(k + 1) - t(k)
  local w = (x - t(k))/h
  y := (1 - w)*q(k) + w*q(k + 1) - h^2/6*w*(1 - w)*((2 - w)*M(k) + (1 + w)*M(k + 1))
end

function spline_slope(x, t(:), q(:), M(:)) result y "the derivative of the spline at x"
  local (Integer) k = interval(x, t)
  local h = t(k + 1) - t(k)
  local w = (x - t(k))/h
  y := (q(k + 1) - q(k))/h - h/6*((2 - 6*w + 3*w^2)*M(k) + (1 - 3*w^2)*M(k + 1))
end
