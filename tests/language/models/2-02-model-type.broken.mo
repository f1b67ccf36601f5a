model type Tank
  local h (start=1)
  der(h) = -h
end
model Tanks
  submodel (Tenk) a
end
