@"parts/chain" as far
model class Link "another one of this name"
  parameter k = 1
  local y
  y = k
end
model (far.Chain) Prefixed
  submodel (far.Link) a(k=3)
  submodel (Link) b
end
