{ A voltage divider, with a resistor that is short-circuited: no current flows through it. }

@electrical

model VoltageDivider
  submodel (VConst) V(V=10)
  submodel (Resistor) R0(R=1000), R1(R=1000), R2(R=1000)
  submodel (VConst) short(V=0)
  submodel (Ground) g
  connect V:A to R1 to (short par R0) to R2 to V:B, g at V:B
end
