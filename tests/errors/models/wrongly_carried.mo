model class Tank
  parameter k = 3
  cut a (pa / ma, carried ha), b (pb / mb, carried ha), c (pc / mc(2), carried hc), d (pd / md, carried k)
  cut e (pe / me, carried hot)
  local (Boolean) hot
  local x
  x = inflow(pa) + carried(ma) + carried(ha + hc)
end

model M
  submodel (Tank) t
  local y
  y = inflow(t.ha)
end
