model Vec
  parameter p(3) = [1, 2, 3]
  local w(3), x(3)
  w = vec([1, 2, 3; 4, 5, 6; 7, 8, time])
  x = vec(skew(p))
end
