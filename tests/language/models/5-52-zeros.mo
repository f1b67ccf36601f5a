model Zeros
  parameter n = 2
  local x(n), A(n,3), y(1)
  x = zeros(n) + [time, 1]
  A = zeros(n, 3)
  y = zeros(1)
end
