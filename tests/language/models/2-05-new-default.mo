model class Spring
  parameter c (unit="N/m") = 100, l(2) = [1, 2]
  terminal f, x
  f = c*(x - l(1) - l(2))
end
model class (Spring) Soft
  parameter c = 1
  parameter l = [3, c]
end
model class (Soft) Softest
  parameter c = 0.5
end
model Springs
  submodel (Spring) a(x=time)
  submodel (Soft) b(x=time)
  submodel (Softest) d(x=time), e(x=time, c=7)
end
