model class C
  parameter p = 5, q = p, v(2) = [p, q]
  local x
  x = p + q + v(2)*time
end
model class Outer
  parameter k = 3
  submodel (C) a, b(p = 1, q = 2*k), c(v = [k, p])
  parameter p = 7
end
model Instances
  constant k = 10
  submodel (Outer) o(k = k + 1)
end
