model Ones
  parameter n = 2
  local x(n), A(n,3), y(1)
  x = ones(n) + [time, 1]
  A = ones(n, 3)
  y = ones(1)
end
