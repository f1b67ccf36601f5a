model Sign
  local x, y, z, v
  x = sign(1, 2)
  y = sign([1, -2])
  z = signum(2)
  v = der(sign(time))
end
