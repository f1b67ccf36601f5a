cut class Pin (V (unit="V") / i (unit="A"))
cut class Wrong (a(n) (fixed=true, start=x+1) / -a)

model class A
  main cut (Pln) p (V / i)
  V = 0
end

model class B
  cut (A) p (V / i), q (W)
  cut (Pin) r [p, q], s (U, T / j)
  V = 0
end

model M
  submodel (A) a
  submodel (B) b
end
