{ Two point masses on two rods, in Cartesian coordinates: four coordinates, two constraints of index 3. }

model CartesianDoublePendulum
  parameter L1 (unit="m") = 1, L2 (unit="m") = 0.7, m1 (unit="kg") = 1, m2 (unit="kg") = 0.5,
            g (unit="m/s2") = 9.81
  local x1 (unit="m", start=L1), y1 (unit="m", start=0), x2 (unit="m", start=L1 + L2),
        y2 (unit="m", start=0)
  local u1 (unit="m/s", start=0), v1 (unit="m/s", start=0), u2 (unit="m/s", start=0),
        v2 (unit="m/s", start=0)
  local F1 (unit="N/m"), F2 (unit="N/m") "forces in the rods, for each m of their length"
  u1 = der(x1)
  v1 = der(y1)
  u2 = der(x2)
  v2 = der(y2)
  m1*der(u1) = -F1*x1 + F2*(x2 - x1)
  m1*der(v1) = -F1*y1 + F2*(y2 - y1) - m1*g
  m2*der(u2) = -F2*(x2 - x1)
  m2*der(v2) = -F2*(y2 - y1) - m2*g
  x1^2 + y1^2 = L1^2
  (x2 - x1)^2 + (y2 - y1)^2 = L2^2
end
