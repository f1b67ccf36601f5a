model Smooth
  local x, y
  der(x) = 1
  y = smooth(if x > 1 then (x - 1)^2 else 0)
end
