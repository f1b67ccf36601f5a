model Sum
  parameter p (unit="m") = 3, v(2) = [1, 2]
  local a (unit="m"), b(2), c(2,2), s
  a = +p + 2
  b = +v + [time, 1] + v
  c = v*v' + identity(2)
  s = 1 + time + 2 + 0
end
