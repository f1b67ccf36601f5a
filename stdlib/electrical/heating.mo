{ Components that heat their surroundings. A separate file, since it includes the thermal library. }

@electrical
@thermal

model class (TwoPin) HeatingResistor
    "resistor whose resistance depends on the temperature at its cut port, which takes its losses"
  cut (Heat) port (T / -Q)
  parameter R (unit="Ohm") "resistance at Tref"
  parameter Tref (unit="K") = 300.15 "reference temperature"
  parameter alpha (unit="1/K") = 0 "temperature coefficient of the resistance"
  u = R*(1 + alpha*(T - Tref))*i + white_noise(thermal_noise(R*(1 + alpha*(T - Tref)), T))
  Q = u*i
end
