model class A
  local x
  x = 1
end
model class B
  local x
  x = 2
end
model class (A, B) C
end
model class (D) D
end
model M
  submodel (C) c
  submodel (D) d
end
