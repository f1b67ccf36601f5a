model And
  parameter n = 2
  local (Boolean) a, b
  a = time > 1 and n
  b = [a, a] and a
end
