model LessEqual
  parameter l (unit="m") = 2, v(2) = [1, 2]
  local (Boolean) a, b, c
  a = l <= time
  b = v <= 1
  c = a <= b
end
