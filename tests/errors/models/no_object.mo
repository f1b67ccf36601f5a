model class A
  local x
  x = 1
end
