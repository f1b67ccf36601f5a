model class Tank
  parameter M (unit="kg") = 3
  cut a (pa / ma(unit="kg/s"), carried ha(unit="J/kg")), b (pb / -mb, carried hb)
  local U (unit="J", start=300)
  local heating
  ha = U/M
  hb = ha
  ma = mb
  pa = pb
  heating = carried(ha)
  der(U) = carried(ha) - carried(hb)
end

model class Source
  cut a (p / m, carried h)
  m = p - 3
  h = 200
end

model CarriedByTheFlow
  submodel (Source) s, r
  submodel (Tank) t
  connect s:a to t:a, t:b to r:a
end
