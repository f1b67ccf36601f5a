@electrical

model Ladder
  submodel (Resistor) r(2)(R=1)
  submodel (Ground) g
  node p(3), q, z(0), y(time)
  connect r(1) at (p, p(2)), r(2) at (p(4), q(1)), g at p(1..2), g at z(1), g at y(1)
end
