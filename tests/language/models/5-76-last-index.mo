function last(x(:)) result y
  y := x(end)
end

model Last
  parameter n = 5
  local x(n), y(3), z, T(2,3), u, w(3)
  x = [1, 2, 3, 4, 5]
  y = x(end..-2..1)
  z = x(end) + x(end - 1) + last(x)
  T = [x(1..3)'; x(3..end)']
  u = T(end, end - 1)
  for k = 1..2..n do
    w((k + 1)/2) = x(k)*time
  endfor
end
