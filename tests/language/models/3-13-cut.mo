model class Axis
  parameter m = 2
  main cut ext (q, qd, qdd / f(2))
  cut inner (r(2)(unit="m"), -s / )
  local z
  z = q
  qd = der(q)
  qdd = der(qd)
  m*qdd = f(1) + f(2)
  r = [1, 2]
  s = time
end
model class Push
  main cut ext (p, v, a / -F(2))
  F = [1, time]
end
model class Follow
  main cut mc (r(2), x)
  local y
  y = x
end
model Cuts
  submodel (Axis) a
  submodel (Push) p
  submodel (Follow) m
  connect a at p, a:inner at m
end
