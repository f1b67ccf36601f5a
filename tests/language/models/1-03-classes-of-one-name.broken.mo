@"parts/chain"
model class Link
  local z
  z = time
end
model Names
  submodel (Link) a
end
