function length(v(3)) result l
  l := norm(v)
end

function inner(a(:), b(size(a,1))) result s
  s := a'*b
end

function power(x, (Integer) n) result y
  y := 1
  for k = 1..n do
    y := y*x
  endfor
end

model M
  local a, b, c, d
  a = length([1, 2])
  b = inner([1, 2, time], [1, 2])
  c = power(time, 2.5)
  d = power(time)
end
