model M
  local x, y
  x + sin(y) = time
  exp(x) - y = 2
end
