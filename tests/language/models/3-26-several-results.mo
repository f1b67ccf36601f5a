function polar(x, y) result r, phi, v(2)
  r := sqrt(x^2 + y^2)
  phi := atan2(y, x)
  v := [x, y]/r
end
function swap(a, b) result c, d
  (c, d) := both(b, a)
  (c, d) := both(d, c)
end
function both(a, b) result c, d
  c := a
  d := b
end
function newton(x) result root, rounds
  local r = x
  root := 1
  rounds := 0
  while abs(root*root - r) > 1e-12 do
    root := 0.5*(root + r/root)
    rounds := rounds + 1
  endwhile
end
model F
  local r, phi, w(2), c, d, root, k, only
  local n (start=0), m (start=0)
  (r, phi, w) = polar(cos(time), sin(time))
  (c, d) = swap(time, 2)
  (root, k) = newton(2 + time)
  only = polar(3, 4)
  when sample(0.1, 0.1) then
    (new(n), new(m)) = both(time, m + 1)
  endwhen
end
