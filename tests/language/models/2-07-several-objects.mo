model class Base
  local x
  x = time
end
model Last
  submodel (Base) b
end
model (Base) AfterTheLast
  local y
  y = x
end
