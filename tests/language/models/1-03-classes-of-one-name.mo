@"parts/chain" as far
model class Link
  local z
  z = time
end
model Names
  submodel (Link) a
  submodel (far.Link) b(k=1)
end
