{ A case of the OpenModelica testsuite (indexreduction): two equations determine x, none determines u1 and u2 apart. }

model PantelidesSingular
  parameter y1 = 1, y2 = 3
  local x, u1, u2
  0 = x + u1*u2
  0 = der(x)*y1 + x
  0 = 40*x + x*x - y2
end
