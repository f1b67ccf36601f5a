model class Shaft
  main cut A (phi(unit="rad"), w(2) / tau(unit="N.m"))
  tau = 1
end
model class Slide
  main cut A (x(unit="m"), w(2) / f(unit="N"))
  f = 2
end
model class Three
  main cut A (x, w(3) / f)
  f = 3
end
model Sets
  submodel (Shaft) a
  submodel (Slide) b
  submodel (Three) c
  connect a at b, a at c
end
