model M
  local v(3), s
  v = [1, 2]
  s = v
end
