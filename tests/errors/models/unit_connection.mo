@electrical

model class Fan
  main cut shaft (q (unit="rad"), qd (unit="rad/s"), qdd (unit="rad/s2") / f (unit="N.m"))
  f = 0
end

model class Winch
  main cut rope (s (unit="m"), v (unit="m/s"), a (unit="m/s2") / F (unit="N"))
  F = 0
end

model M
  submodel (Fan) fan
  submodel (Winch) winch
  node n
  connect fan at n, winch at n
end
