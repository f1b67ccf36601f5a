@"parts.inc"

model M
  submodel (Resistor) r(3)(R = [1, 2]), q(2)(R = 5)
  submodel (Ground) g
  local x
  connect r to g, g(1) to q(3), q(1..2) to g, q(1, 2):A at g, q(x):A at g
  x = q.i + q(0).i + r(1)
end
