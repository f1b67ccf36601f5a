{ Heat flow between points, each with one temperature. The flow of a cut is positive into the component.

  The laws are those of Fourier, Newton and Stefan; see Incropera, DeWitt: Fundamentals of Heat and Mass Transfer. }

cut class Heat (T(unit="K") / Q(unit="W")) "temperature, and flow of heat into the component"

{ --- storage and transport --- }

model class HeatCapacitor "a body of one temperature: C*der(T) = Q"
  main cut (Heat) A (T(start=T0) / Q)
  parameter C (unit="J/K", min=0) "heat capacity: mass times specific heat"
  parameter T0 (unit="K") = 293.15 "temperature at the start"
  C*der(T) = Q
end

model class HeatPath "something through which heat flows from A to B"
  cut (Heat) A (Ta / Q), B (Tb / -Q)
  main cut W [A, B]
  main path P <A - B>
  terminal dT (unit="K") "temperature difference from A to B"
  dT = Ta - Tb
end

model class (HeatPath) ThermalConductor "conduction: Q = G*dT"
  parameter G (unit="W/K") "thermal conductance: conductivity times area by length"
  Q = G*dT
end

model class (HeatPath) ThermalResistor "conduction: dT = R*Q"
  parameter R (unit="K/W") "thermal resistance"
  dT = R*Q
end

model class (HeatPath) Convection "from a solid at A to a fluid at B: Q = Gc*dT, where Gc is set from outside"
  terminal Gc (unit="W/K") "heat transfer coefficient times area"
  Q = Gc*dT
end

model class (HeatPath) ConvectiveResistor "from a solid at A to a fluid at B: dT = Rc*Q, where Rc is set from outside"
  terminal Rc (unit="K/W") "convective thermal resistance"
  dT = Rc*Q
end

model class (HeatPath) BodyRadiation "radiation between two bodies: Q = Gr*sigma*(Ta^4 - Tb^4)"
  constant sigma (unit="W/(m2.K4)") = 5.670374419e-8 "Stefan-Boltzmann constant"
  parameter Gr (unit="m2") "net radiation conductance: area times emissivity, for a body in a large room"
  Q = Gr*sigma*(Ta^4 - Tb^4)
end

{ --- sources --- }

model class FixedTemperature "a surrounding of constant temperature"
  main cut (Heat) A (T / Q)
  parameter T0 (unit="K") "temperature"
  T = T0
end

model class PrescribedTemperature "surroundings whose temperature T is set from outside"
  main cut (Heat) A (T / Q)
end

model class FixedHeatFlow "a constant heat flow into the connected component, which may depend on its temperature"
  main cut (Heat) A (T / -q)
  parameter Q (unit="W") "flow of heat at Tref"
  parameter Tref (unit="K") = 293.15 "reference temperature"
  parameter alpha (unit="1/K") = 0 "temperature coefficient of the flow"
  q = Q*(1 + alpha*(T - Tref))
end

model class PrescribedHeatFlow "a heat flow into the connected component: Q, set from outside"
  main cut (Heat) A (T / -q)
  parameter Tref (unit="K") = 293.15 "reference temperature"
  parameter alpha (unit="1/K") = 0 "temperature coefficient of the flow"
  terminal Q (unit="W") "flow of heat at Tref"
  q = Q*(1 + alpha*(T - Tref))
end

{ --- sensors; they take no heat --- }

model class TemperatureSensor "temperature in kelvin"
  main cut (Heat) A (T / Q)
  Q = 0
end

model class CelsiusSensor "temperature in degrees Celsius, as a number"
  main cut (Heat) A (T / Q)
  output y (unit="K") "temperature above 273.15 K"
  Q = 0
  y = T - 273.15
end

model class RelativeTemperatureSensor "temperature difference from A to B"
  cut (Heat) A (Ta / Qa), B (Tb / Qb)
  main cut W [A, B]
  main path P <A - B>
  output dT (unit="K")
  dT = Ta - Tb
  Qa = 0
  Qb = 0
end

model class (HeatPath) HeatFlowSensor "the heat that flows through: Q"
  dT = 0
end
