{ A car axis on a bumpy road: two wheels as points, the left one held, springs to the chassis. Index 3.
  Schneider; in Mazzia, Magherini: Test Set for Initial Value Problem Solvers. }

model CarAxis
  parameter L = 1, L0 = 0.5, M = 10, eps = 0.01, r = 0.1, w = 10
  local xl (start=0), yl (start=0.5, state=prefer), xr (start=1), yr (start=0.5, state=prefer)
  local vxl (start=-0.5), vyl (start=0, state=prefer), vxr (start=-0.5), vyr (start=0, state=prefer)
  local xb, yb "right end of the road"
  local Ll, Lr "lengths of the springs"
  local l1, l2 "multipliers of the constraints"
  local m
  m = eps^2*M/2
  yb = r*sin(w*time)
  xb = sqrt(L^2 - yb^2)
  Ll = sqrt(xl^2 + yl^2)
  Lr = sqrt((xr - xb)^2 + (yr - yb)^2)
  der(xl) = vxl
  der(yl) = vyl
  der(xr) = vxr
  der(yr) = vyr
  m*der(vxl) = (L0 - Ll)*xl/Ll + l1*xb + 2*l2*(xl - xr)
  m*der(vyl) = (L0 - Ll)*yl/Ll + l1*yb + 2*l2*(yl - yr) - m
  m*der(vxr) = (L0 - Lr)*(xr - xb)/Lr - 2*l2*(xl - xr)
  m*der(vyr) = (L0 - Lr)*(yr - yb)/Lr - 2*l2*(yl - yr) - m
  xl*xb + yl*yb = 0
  (xl - xr)^2 + (yl - yr)^2 = L^2
end
