model class (B) A
  local x
  x = 1
end

model class (A) B
  local y
  y = 2
end

model M
  submodel (A) a
end
