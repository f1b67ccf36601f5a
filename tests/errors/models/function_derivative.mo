function f(x, (Integer) n) result y (derivative=f_der)
  y := x^n
end

function f_der(x, (Integer) n, dx, dn) result dy
  dy := n*x^(n - 1)*dx
end

function g(x) result y (derivative=nothing)
  y := x
end

function h(x) result y(2) (derivative=h_der)
  y := [x, x]
end

function h_der(x, dx) result dy
  dy := dx
end

function self(x) result y (derivative=two)
  y := x
end

function two(x, dx) result y (derivative=three)
  y := dx
end

function three(x, dx, ddx, dddx) result y (derivative=two)
  y := ddx
end

model M
  local a, b(2), c
  a = f(time, 2)
  b = h(time)
  c = self(time)
end
