model type Tank
  local h (start=1)
  der(h) = -h
end
model type (Tank) Larger
  local v
  v = 2*h
end
model Tanks
  submodel (Tank) a
  submodel (Larger) b
end
