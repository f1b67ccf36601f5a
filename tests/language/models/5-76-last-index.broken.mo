model Last
  parameter n = 5
  local x(n), y, z, w(2)
  x = [1, 2, 3, 4, 5]
  y = x(end + 1)
  z = 2*(end - 1)
  w = x(1..0..2)
end
