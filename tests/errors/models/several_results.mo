function both(a, b) result c, d
  c := a
end
function twice(a) result c, d
  c := a
  d := 2*a
end
function use(a) result c
  local d, e
  (c, d, e) := twice(a)
end
model F
  local a, b, c
  (a, b, c) = twice(1)
  (a, b) = sin(1)
  (a, b) = twice(1, 2)
end
