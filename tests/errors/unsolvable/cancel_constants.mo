
model CancelConstants
  local x, y
  x + 2*y = sin(time)
  3*x + 6*y = 1
end
