
model ConstraintStates
  local x(start=1), y(start=2), f
  der(x) = f
  der(y) = -f
  x + y = 1
end
