
model RedundantMultiple
  local x, y, z
  x + y = sin(time)
  2*x + 2*y = 2*sin(time)
  z = x - y
end
