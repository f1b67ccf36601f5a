model Delay
  local x, y, z
  x = delay(time, -1)
  y = delay(time, x)
  z = delay(time)
end
