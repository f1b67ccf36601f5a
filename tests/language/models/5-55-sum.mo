model Sum
  parameter v(3) = [1, 2, 3]
  local a, b, c
  a = sum(v)
  b = sum([time, 1; 2, time])
  c = sum(v(1..2)) + sum(time) + sum(v'*v)
end
