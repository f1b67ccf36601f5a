model Ranges
  parameter n = 3
  local x(n), y(2), T(2,3)
  x(1..n - 1) = [1, 2]
  x(n..n) = 3*ones(1)
  y = x(2..3)
  T(1..2,1) = y
  T(1..2,2..n) = [y, y]
end
