cut class Pin (V (unit="V") / i (unit="A"))
cut class Shaft (w (unit="V") / t (unit="A"))
model class B
  main cut (Pin) p (V / i)
  V = 0
end
model class C
  main cut (Shaft) p (V/ i)
  V = 0
end
model class D
  main cut (Shaft) p
  submodel (B) b
  connect b at p
end
model M
  submodel (B) b
  submodel (C) c
  submodel (D) d
  node n
  connect b at n, c at n
end
