@electrical

model Ranges
  submodel (VConst) V(V=6)
  submodel (Resistor) r(3)(R=[1, 2, 3]), s(3)(R=1)
  submodel (Ground) g
  node p(4)
  connect V at (p(1), p(4)), r(:) at (p(1..end - 1), p(2..end)), g at p(4)
  connect p(3..-1..1) to s(1..3), s(:):B to g
end
