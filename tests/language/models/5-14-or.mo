model Or
  parameter (Boolean) p = true
  parameter n = 2
  local (Boolean) a, b, c
  a = time > 1 or p
  b = a or n == 2 or time < 3
  c = a or false
end
