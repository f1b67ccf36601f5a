external function hypotenuse(x, y) result z "python:math.hypot"
external function turned(v(3)) result F(3) "python:numpy.negative"
model External
  local r, F(3)
  r = hypotenuse(time, 2)
  F = turned([r, 0, 1])
end
