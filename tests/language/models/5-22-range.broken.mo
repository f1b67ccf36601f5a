model Ranges
  local x(3), y(2), z
  x = 1..3
  y = x(2..4)
  z = x(1..)
end
