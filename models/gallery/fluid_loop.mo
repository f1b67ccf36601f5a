{ Two tanks in a loop of water: one pump takes it through a heat exchanger with a bypass from the hot tank to the cold one,
  another one takes it back. They pump, pause, and pump the other way. }

cut class Water (p(unit="Pa") / m(unit="kg/s"), carried h(unit="J/kg")) "flow into the component"

model class Medium
  terminal T (unit="K"), h (unit="J/kg")
end

model class (Medium) WaterAtAnyPressure
  parameter c (unit="J/(kg.K)") = 4180
  h = c*T
end

model class Tank (class Content = WaterAtAnyPressure)
  parameter M0 (unit="kg"), T0 (unit="K"), k (unit="Pa/kg") = 20
  cut (Water) left (p / ml, carried hl), right (p / -mr, carried hr)
  submodel (Content) content
  terminal M (start=M0), U (unit="J"), T (unit="K", display="degC")
  p = k*M
  hl = content.h
  hr = content.h
  T = content.T
  U = M*content.h
  der(M) = ml - mr
  der(U) = carried(hl) - carried(hr)
  initial
    T = T0
  endinitial
end

model class Line "passes on what comes, in both directions"
  cut (Water) a (pa / m, carried ha), b (pb / -m, carried hb)
  main path P <a - b>
end

model class (Line) Pump
  terminal flow
  m = flow
  ha = inflow(hb)
  hb = inflow(ha)
end

model class (Line) Pipe
  parameter G (unit="kg/(s.Pa)")
  m = G*(pa - pb)
  ha = inflow(hb)
  hb = inflow(ha)
end

model class (Line) Exchanger (class Content = WaterAtAnyPressure)
  parameter G (unit="kg/(s.Pa)"), kA (unit="kg/s") "conductance by heat capacity", Tw (unit="K")
  submodel (Content) wall
  terminal heat (unit="W") "into the wall"
  local rest "of the difference to the wall, at the end"
  wall.T = Tw
  m = G*(pa - pb)
  rest = exp(-kA/max(abs(m), 1e-9 kg/s))
  ha = wall.h + rest*(inflow(hb) - wall.h)
  hb = wall.h + rest*(inflow(ha) - wall.h)
  heat = carried(ha) - carried(hb)
end

model FluidLoop
  submodel (Tank) hot(M0=300, T0=80 degC), cold(M0=200, T0=20 degC)
  submodel (Pump) there, back
  submodel (Exchanger) exchanger(G=3e-3, kA=0.1, Tw=10 degC)
  submodel (Pipe) bypass(G=1e-3)
  node n
  local flow (unit="kg/s")
  flow = if time < 1000 then 0.4 else if time < 1500 then 0 else -0.2
  there.flow = flow
  back.flow = flow
  connect hot:right to there to n
  connect n to exchanger to cold:left, bypass at (n, cold:left)
  connect cold:right to back to hot:left
  experiment (stop=3000)
end
