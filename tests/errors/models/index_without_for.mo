{ A connection of elements of an array, without the 'for' that numbers them. }
@electrical

model Chain
  submodel (Resistor) r(3)(R=1)
  submodel (VConst) V(V=1)
  submodel (Ground) g
  connect V:A to r(1):A, r(k - 1):B to r(k):A, r(3):B to V:B, g at V:B
end
