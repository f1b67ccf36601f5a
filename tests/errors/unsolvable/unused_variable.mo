
model UnusedVariable
  local x, y, speed
  der(x) = -x
  y = 2*x
end
