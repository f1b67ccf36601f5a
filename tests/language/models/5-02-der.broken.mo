model Derivatives
  local x, y, z (unit="m"), v (unit="m")
  der(x, 0) = 1
  der(x, 1.5) = 1
  y = der()
  z = time
  v = der(z)
end
