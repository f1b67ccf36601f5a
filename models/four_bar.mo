{ A four-bar linkage in Cartesian coordinates, its masses in the two moving joints: four coordinates, three constraints. The crank a can turn all
  round, the rocker c cannot, so that no coordinate is right as the state for a whole turn. }

model FourBar
  parameter a (unit="m") = 1, b (unit="m") = 3, c (unit="m") = 2.5,
            d (unit="m") = 3 "crank, coupler, rocker, frame"
  parameter m (unit="kg") = 1
  local x1 (unit="m", start=0), y1 (unit="m", start=a), x2 (unit="m", start=2.7, fixed=false),
        y2 (unit="m", start=2.4, fixed=false)
  local u1 (unit="m/s", start=6), v1 (unit="m/s"), u2 (unit="m/s"), v2 (unit="m/s")
  local F1 (unit="N/m"), F2 (unit="N/m"),
        F3 (unit="N/m") "forces in the bars, for each m of their length"
  u1 = der(x1)
  v1 = der(y1)
  u2 = der(x2)
  v2 = der(y2)
  m*der(u1) = -F1*x1 + F2*(x2 - x1)
  m*der(v1) = -F1*y1 + F2*(y2 - y1)
  m*der(u2) = -F2*(x2 - x1) - F3*(x2 - d)
  m*der(v2) = -F2*(y2 - y1) - F3*y2
  x1^2 + y1^2 = a^2
  (x2 - x1)^2 + (y2 - y1)^2 = b^2
  (x2 - d)^2 + y2^2 = c^2
end
