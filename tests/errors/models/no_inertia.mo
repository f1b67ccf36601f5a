model class Joint
  cut ext (q, qd, qdd / tau)
  main cut b (a / M)
  qd = der(q)
  qdd = der(qd)
  a = qdd
  qdd = -tau/M
end

model Crane
  submodel (Joint) j1
end
