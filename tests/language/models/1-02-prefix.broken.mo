@"parts/chain" as far
model Prefixed
  submodel (far.Lnik) a
  submodel (fr.Link) b
  submodel (Link) c
end
