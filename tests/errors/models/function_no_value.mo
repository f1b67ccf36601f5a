function sum_of(x(:)) result s
  for k = 1..size(x,1) do
    s := s + x(k)
  endfor
end

function sign_of(x) result s
  local t
  if x > 0 then
    t := 1
  endif
  s := t
end

function half(x) result s(2)
  if x > 0 then
    s(1) := x
  else
    s := [0, 0]
  endif
end

function root(x) result y
  while y*y > x do
    y := y - 1
  endwhile
end

model M
  local a, b, c(2), d
  a = sum_of([time, 1])
  b = sign_of(time)
  c = half(time)
  d = root(time)
end
