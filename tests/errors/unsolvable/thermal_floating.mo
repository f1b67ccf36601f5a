model class HeatCond
  cut a (Ta(unit="K") / q(unit="W")), b (Tb(unit="K") / -q)
  main path p <a - b>
  main cut c [a, b]
  parameter G (unit="W/K") = 1
  q = G*(Ta - Tb)
end

model ThermalFloating
  submodel (HeatCond) h1(G = 2), h2(G = 3)
  connect h1 to h2 to h1
end
