model Smooth
  local x, y
  x = smooth(1, 2)
  y = smooth()
end
