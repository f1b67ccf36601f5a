external function hypotenuse(x, y) result z "python:math.hypot"
model External
  local r
  r = hypotenuse(time, 2)
end
