model class Part
  parameter p = 2
  local y, z
  p = 3
  z = y
end

model NothingLeft
  submodel (Part) a
end
