function half(x) result y
  y := x/2
end

function first(x(2)) result y
  y := x(1)
end

model OfArrays
  parameter v(3) = [0, 0.5, -1]
  local s, m(3), h(2), f(3)
  s = sin(v)
  m = max(v, [1, 2])
  h = half(v)
  f = first(v)
end
