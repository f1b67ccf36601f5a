model And
  parameter (Boolean) p = true
  parameter n = 2
  local (Boolean) a, b, c
  a = time > 1 and p
  b = a and n == 2 and time < 3
  c = a and true
end
