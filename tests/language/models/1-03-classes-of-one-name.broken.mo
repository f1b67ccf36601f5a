model class Link
  local z
  z = time
end
model class Link
  local w
  w = 2*time
end
model Names
  submodel (Link) a
end
