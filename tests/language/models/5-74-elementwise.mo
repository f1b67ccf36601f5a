model Elementwise
  parameter a(3)(unit="m") = [1, 2, 3], b(3)(unit="s") = [4, 5, 8], A(2,2) = [1, 2; 3, 4]
  local v(3)(unit="m/s"), w(3)(unit="m.s"), q(3)(unit="m2"), B(2,2), C(2,2)
  v = a ./ b
  w = a .* b
  q = a .^ 2
  B = 2 .^ A
  C = (A .* A)*A - A .^ 2*A + time .* A'
end
