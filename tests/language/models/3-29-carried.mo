cut class Fluid (p(unit="Pa") / m(unit="kg/s", nominal=0.1), carried h(unit="J/kg"), carried X(2))

model class Source
  cut (Fluid) a (p / m, carried h, carried X)
  p = 1e5
  h = 2000
  X = [0.7, 0.3]
end

model class Pipe
  cut (Fluid) a (pa / m, carried ha, carried Xa), b (pb / -m, carried hb, carried Xb)
  m = 1e-6*(pa - pb)
  ha = inflow(hb)
  hb = inflow(ha)
  Xa = inflow(Xb)
  Xb = inflow(Xa)
end

model Carried
  submodel (Source) s
  submodel (Pipe) r
  connect s:a to r:a
end
