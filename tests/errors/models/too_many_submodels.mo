@"parts.inc"

model class Many
  submodel (Resistor) r(9000)(R = 1)
end

model M
  submodel (Many) m(12)
end
