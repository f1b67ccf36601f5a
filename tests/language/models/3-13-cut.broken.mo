model class Axis
  main cut ext (q, qd / f)
  cut bad (q, q / f)
  qd = der(q)
  f = 0
end
model class Other
  main cut ext (q / f)
  f = 1
end
model Cuts
  submodel (Axis) a
  submodel (Other) o
  connect a at o
end
