model Part
  local x
  x = 1
end

model M
  submodel (Part) p
end
