model M
  local v(3), s, k
  v = [1, 2, 3]
  s = v(4) + v(1, 2) + v(1.5)
  k = v(s)
end
