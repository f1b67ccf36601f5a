model class Joint1
  cut ext (q, qd, qdd / tau)
  parameter J = 2
  qd = der(q)
  qdd = der(qd)
  J*qdd = tau
end

model PrescribedSmall
  submodel (Joint1) r
  r.q = sin(time)
end
