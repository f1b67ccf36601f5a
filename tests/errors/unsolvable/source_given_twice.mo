@electrical

model SourceGivenTwice
  submodel (VSource) V
  submodel (Resistor) R(R = 100)
  submodel (Ground) g
  connect V to R to V, g at V:B
  V.u = sin(time)
  R.u = 3
end
