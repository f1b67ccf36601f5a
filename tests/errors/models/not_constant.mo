model M
  parameter n = 3
  local v(n)
  constant c = 2*n
  v = [1, 2, 3]
end
