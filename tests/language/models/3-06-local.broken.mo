model class Inside
  local x
  x = 1
end
model Locals
  submodel (Inside) i
  local y = 3, z(0), w(2,2,2)
  z = i.x
end
