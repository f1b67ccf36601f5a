model class Tank
  cut a (p(unit="Pa") / m(unit="kg/s"), carried T(unit="K"))
  local U (unit="J", start=300)
  T = 300
  p = 1
  der(U) = carried(T)
end

model CarriedByTheFlow
  submodel (Tank) t
  local x
  x = carried(t.T) + carried(x)
end
