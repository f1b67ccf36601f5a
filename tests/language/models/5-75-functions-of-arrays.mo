function half(x) result y
  y := x/2
end

function scaled(a, b) result c
  c := a*half(b)
end

model OfArrays
  parameter v(3) = [0, 0.5, -1], A(2,2) = [1, 4; 9, 16]
  local s(3), B(2,2), m(3), l, h(3), k(2,2), r(3)
  s = sin(v*time)
  B = sqrt(A)
  m = max(v, 0)
  l = max(v)
  h = half(v)
  k = scaled(2, A)
  r = mod(v, [1, 2, 3])
end
