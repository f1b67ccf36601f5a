model M "a pendulum of which position and speed are given twice over"
  parameter g = 9.81, L = 1
  local x, y, vx, vy, F
  vx = der(x)
  vy = der(y)
  der(vx) = -F*x
  der(vy) = -F*y - g
  x^2 + y^2 = L^2
  initial
    x = 0.6
    y = -0.8
    vx = 0
    vy = 1
  endinitial
end
