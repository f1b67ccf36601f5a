@"parts.inc"

model M
  parameter n = 3
  submodel (Resistor) r(R = 1) if n > 3, q(2)(R = 1) if n == 4, a(R = 1) if time > 1, b(R = 1) if [n, 2]
  submodel (Ground) g
  local x
  connect g to r to q(1) to a to b, q(3) to g
  x = r.i + q(2).i + b.i
end
