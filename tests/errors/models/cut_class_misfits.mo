cut class Pin (V (unit="V") / i (unit="A"))
cut class Shaft (w (unit="V") / t (unit="A"))
model class A
  main cut (Pin) p (V / i)
  terminal V(3)
  V = [1,2,3]
end
model class B
  main cut (Pin) p (V (unit="mV") / i)
  terminal V
  V = 0
end
model class B2
  main cut (Pin) p (V (unit="mV") / i)
  V = 0
end
model class C
  main cut (Shaft) p (V/ i)
  cut (Pin) q
  V = 0
end
model M
  submodel (A) a
  submodel (B) b
  submodel (B2) b2
  submodel (C) c
  connect b to b2, b to c
end
