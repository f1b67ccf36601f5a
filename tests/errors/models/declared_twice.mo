model M
  local x, y
  terminal x
  node n
  cut n (x)
  x = 1
  y = 2
end
