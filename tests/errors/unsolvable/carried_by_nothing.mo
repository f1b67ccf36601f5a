cut class Fluid (p / m, carried h)

model class Tank
  cut (Fluid) a (p / m, carried h)
  local M (start=2), U (start=6)
  p = M
  h = U/M
  der(M) = m
  der(U) = carried(h)
end

model class Pipe "gives nothing to what flows out at b"
  cut (Fluid) a (pa / m, carried ha), b (pb / -m, carried hb)
  m = pa - pb
  ha = inflow(hb)
end

model M
  submodel (Tank) t1, t2, t3
  submodel (Pipe) r
  connect t1:a to r:a, r:b at t2:a, t3:a at t2:a
end
