@electrical

model Ranges
  submodel (Resistor) r(3)(R=1), s(2)(R=1), t(R=1)
  submodel (Ground) g
  connect r(1..3) to s(1..2), r(1..4):A to g, t(1..2):A to g, r(1..0..3):B to g
end
