model First
  local x
  x = 1
end
model Second
  submodel (First) f
end
