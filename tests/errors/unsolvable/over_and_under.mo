
model OverAndUnder
  local x, y, z, w
  x = sin(time)
  x = cos(time)
  y + z = w
  w = 3*time
end
