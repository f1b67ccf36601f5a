@"parts.inc"

model M
  submodel (Source) S1(V=1)
  submodel (Ground) g
  connect g to S1 to g
end
