function f(x) result y
  y := inflow(x)
end

model class Heater
  cut a (pa / ma, carried T), b (pb / mb, carried T)
  parameter h = 3
  cut c (pc / mc(2), carried k), d (pd / md, carried h)
  local x
  x = inflow(pa) + inflow(2*T) + inflow(T, 1)
end

model Inflow
  submodel (Heater) heater
end
