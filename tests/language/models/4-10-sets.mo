model class Shaft
  main cut A (phi(unit="rad"), w(2) / tau(unit="N.m"))
  cut B (psi / sigma)
  parameter c (unit="N.m/rad") = 3
  tau = c*(phi - 1)
  sigma = psi + time
  w = [1, 2]
end
model class Free
  main cut A (x, w(2) / -f)
  f = 2
end
model Sets
  submodel (Shaft) a
  submodel (Free) b
  node n, m, l
  connect a at n, n to m, m to l, b at l
end
