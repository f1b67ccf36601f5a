model class Load
  main cut A (V / i)
  parameter G = 1
  i = G*V
end
model class Feed
  main cut A (V / i)
  i = -2
end
model class Box
  parameter n = 1
  submodel (Load) a, b(2)(G=[5, 6]) if n > 1, c if n <= 1 and not n == 0
  submodel (Feed) f
  cut out
  connect a at f, b(1) at f, b(2) at f, c at f
  connect f to (a par b(1) par c)
  connect out at b(1), out at f
end
model Conditional
  submodel (Box) small, large(n=3)
  connect small:out at large:out
end
