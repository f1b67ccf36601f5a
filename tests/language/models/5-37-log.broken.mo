model Log
  local x, y, z
  parameter p (unit="Pa") = 1
  x = log(0)
  y = log(p)
  z = ln(2)
end
