cut class Fluid (p / m(unit="kg/s"), carried T(unit="K"))

model class Heater
  cut (Fluid) a (pa / m, carried Ta), b (pb / -m, carried Tb)
  local difference
  pa = pb
  Ta = inflow(Tb) + 5 K
  Tb = inflow(Ta) + 5 K
  difference = Tb - inflow(Ta)
end

model class Source
  cut (Fluid) a (p / m, carried T)
  parameter level = 1
  m = level*(p - level)
  T = 300
end

model Inflow
  submodel (Source) left, right(level=2)
  submodel (Heater) heater
  connect left:a to heater:a, heater:b to right:a
end
