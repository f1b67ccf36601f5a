model class A
  local x
  x = 1
end

model class A
  local y
  y = 2
end

model M
  submodel (A) a
end
