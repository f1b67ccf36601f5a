function power(x, (Integer) n) result z
  z := 1
  for k = 1..n do
    z := z*x
  endfor
end
function clip(x(:), most) result z(size(x, 1))
  for k = 1..size(x, 1) do
    if x(k) > most then
      z(k) := most
    else
      z(k) := x(k)
    endif
  endfor
end
function root(x) result y (derivative=root_der)
  local before = 0
  y := 1
  while abs(y - before) > 1e-12 do
    before := y
    y := 0.5*(y + x/y)
  endwhile
end
function root_der(x, dx) result dy
  dy := dx/(2*root(x))
end
model Functions
  local x, v, c(2), r, w
  x = power(time, 3)
  v = der(power(time, 3))
  c = clip([time, 2], 1)
  r = root(1 + time)
  w = der(root(1 + time))
end
