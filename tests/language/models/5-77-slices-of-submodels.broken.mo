model class Cell
  parameter n = 1
  local x
  terminal v(n)
  x = time
  v = x*ones(n)
end

model Slices
  submodel (Cell) d(2)(n=[1, 2]), e
  local y(2), w(2), z
  y = d.x
  w = d.v
  z = e(1..2).v
end
