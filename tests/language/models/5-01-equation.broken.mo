model Equations
  local x(2), M(2,2), s
  x = 3
  M = [1, 2]
  x + s = 0
  2 = 1 + 1
end
