model Elementwise
  parameter a(3)(unit="m") = [1, 2, 3], b(2) = [4, 5], A(2,2) = [1, 2; 3, 4]
  local v(3)(unit="m"), w(3), x, y
  v = a .* a
  w = a .* b
  x = A .* b
  y = 2 ./ a
end
