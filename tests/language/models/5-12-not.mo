model Not
  parameter (Boolean) p = true
  local (Boolean) a, b, c
  a = not time < 1
  b = not not a and not p
  c = not (a or b)
end
