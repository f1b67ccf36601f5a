model First
  local x
  x = 1
end
model Second
  local y
  y = 2
end
