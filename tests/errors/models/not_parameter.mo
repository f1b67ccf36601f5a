@"parts.inc"

model M
  local x
  parameter p = 2*x
  submodel (Resistor) R1(R = x + 1), R2(R = time)
  x = 1
end
