{ Functions: written out where they can be, functions of the generated program where they cannot. }

function clipped(x(:), most) result z(size(x, 1)) "each element between -most and most"
  for k = 1..size(x, 1) do
    if abs(x(k)) > most then
      z(k) := most*sign(x(k))
    else
      z(k) := x(k)
    endif
  endfor
end

function root(x) result y "by Heron's rule"
  local before = 0
  assert x >= 0, "no root of a negative number"
  y := 1
  while abs(y - before) > 1e-12*y do
    before := y
    y := 0.5*(y + x/y)
  endwhile
end

function table(values(:), u) result y "between neighbors along a line"
  local k, part
  k := min(max(floor(u), 1), size(values, 1) - 1)
  part := u - k
  y := (1 - part)*values(k) + part*values(k + 1)
end

model Functions
  parameter p = 2, q = root(p)
  constant third = root(9)
  local s (start=1), v(2), y, w
  der(s) = q - s
  v = clipped([s, -2*third], 4)
  y = table([1, 4, 9, 16], s + 1)
  w = der(root(1 + s^2))
end
