model Sum
  parameter p (unit="m") = 3, t (unit="s") = 1, v(2) = [1, 2]
  local a (unit="m"), b(2), c
  a = p + t
  b = v + 1
  c = v + v'
end
