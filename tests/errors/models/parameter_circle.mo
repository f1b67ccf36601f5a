model M
  parameter a = b + 1, b = 2*c, c = a
  local x
  x = a
end
