model class Base
  main cut b (a / M, p)
  a = 9.81
end

model class Mass
  main cut b (a / M, p)
  parameter m = 2.5
  M = m
  p = m*a
end

model M
  submodel (Base) base
  submodel (Mass) part, lost
  connect base to part
end
