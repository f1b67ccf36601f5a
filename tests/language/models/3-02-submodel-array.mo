model class C
  parameter p = 5, v(2) = [0, 0]
  terminal x
  x = p + v(2)*time
end
model Arrays
  constant n = 2
  parameter q = 4
  submodel (C) a(n)(p = [q, 2*q]), b(n)(p = q), c(n)(v = [1, 2; 3, 4]), d(2*n - 1)(v = [8, 9])
  local y
  y = a(1).x + a(n).x + d(3).x
end
