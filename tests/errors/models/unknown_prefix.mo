@"parts.inc" as parts
@electrical as el

model M
  submodel (part.Resistor) a
  submodel (parts.Resistr) b(R = 1)
  submodel (Resistor) c(R = 1)
  submodel (parts.el.Resistor) d(R = 1)
end
