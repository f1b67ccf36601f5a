@partz

model M
  local x
  x = 1
end
