@electrical as el
@"parts.inc" as el

model M
  submodel (el.Resistor) a(R = 1)
end
