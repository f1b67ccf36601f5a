model M "one equation is twice another, and there is one too many"
  parameter a = 2
  local x, y, z
  x + y = 3
  2*x + 2*y = 6
  z = x - y
  x - y = a
end
