model Or
  parameter n = 2
  local (Boolean) a, b
  a = time > 1 or n
  b = [a, a] or a
end
