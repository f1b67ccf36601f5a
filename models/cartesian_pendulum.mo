{ A pendulum in Cartesian coordinates: three equations of motion and a constraint, of index 3. No choice of x or y as the state is
  right for a full turn, so the choice changes on the way. }

model CartesianPendulum
  parameter L (unit="m") = 1, g (unit="m/s2") = 9.81, m (unit="kg") = 1
  local x (unit="m", start=0), y (unit="m", start=-L)
  local vx (unit="m/s", start=7), vy (unit="m/s", start=0)
  local F (unit="N/m") "force in the rod, for each m of its length"
  vx = der(x)
  vy = der(y)
  m*der(vx) = -F*x
  m*der(vy) = -F*y - m*g
  x^2 + y^2 = L^2
end
