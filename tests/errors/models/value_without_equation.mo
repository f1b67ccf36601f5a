model M
  local x = 3, y
  input u = 2
  y = x + u
end
