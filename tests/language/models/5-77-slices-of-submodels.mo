model class Cell
  parameter a = 1
  terminal x, v(2)
  x = a*time
  v = [a, x]
end

model class Row
  submodel (Cell) c(3)(a=[1, 2, 3])
  terminal s
  s = sum(c.x)
end

model Slices
  submodel (Row) r(2)
  submodel (Cell) d(4)(a=[1, 2, 3, 4])
  local y(4), p, z(2), V(4,2)
  y = d.x
  p = d(1..2).x'*d(end - 1..end).x
  z = r.s
  V = d(:).v
end
