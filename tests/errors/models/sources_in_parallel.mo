@"parts.inc"

model M
  submodel (Source) S1(V=1), S2(V=2)
  submodel (Ground) g
  connect g to S1 to g, S2 at (S1:A, S1:B)
end
