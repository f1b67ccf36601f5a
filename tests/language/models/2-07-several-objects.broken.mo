model class Base
  local x
  x = time
end
model class (Base) NoObject
end
