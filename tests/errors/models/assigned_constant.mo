model class A
  constant k = 2
  local x
  x = k
end

model M
  submodel (A) a(k=3)
end
