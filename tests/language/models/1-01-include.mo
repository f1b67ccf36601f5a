@"parts/chain"
@"parts/chain.mo"
@electrical
model Included
  submodel (Link) l(k=2)
  submodel (Ground) g
end
