model M "pendulum, nothing given"
  parameter g = 9.81, L = 1
  local x, y, vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - g
  x^2 + y^2 = L^2
end
