model Slots
  parameter d = 3, r(2)(unit="m") = [10, d] mm, s(2)(unit="m") = [1 mm, 2] mm
  parameter t(2)(unit="s") = [1, 2] metres, w(2)(unit="m") = [k for k = 1..2] mm
  local x
  x = r(1)/s(1)
end
