model class Joint
  cut ext (q, qd, qdd / tau)
  parameter J = 2
  qd = der(q)
  qdd = der(qd)
  J*qdd = tau
end

model M
  submodel (Joint) r
  r.q = sin(time)
end
