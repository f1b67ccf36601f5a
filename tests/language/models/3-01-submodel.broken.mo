model class C
  parameter p = 5, q = p
  local x
  x = p + q
end
model Instances
  parameter k = 3
  submodel (C) a, b(p = 1, p = 2), c(r = 1), d(p = kk), e(p = [1, 2]), f(x = 1)
end
