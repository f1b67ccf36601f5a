model class C
  parameter p = 5, v(2) = [0, 0]
  terminal x
  x = p + v(2)
end
model Arrays
  submodel (C) a(2)(p = [1, 2, 3]), b(3)(v = [1, 2; 3, 4]), c(0), d(1.5), e(2)
  local y, z, w
  y = e.x
  z = e(3).x
  w = sum(e.x)
end
