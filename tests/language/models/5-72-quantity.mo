model Quantities
  parameter w (unit="rad/s") = 3000 rpm, q (unit="rad") = 30 deg, p (unit="Pa") = 5 bar, R (unit="Ohm") = 10 kOhm
  parameter T (unit="K") = 20 degC, cold (unit="K") = -20 degC, v (unit="m/s") = 36 km/h, h (unit="s") = 2 h
  parameter c (unit="J/(kg.K)") = 4.2 kJ/(kg.K), alpha (unit="1/K") = 3.9e-3 1/K
  local F (unit="N"), rate (unit="N/s"), dT (unit="K"), x(2) (unit="m"), A (unit="m2")
  F = 3 N*sin(q) + 2 lbf
  rate = 3 N / h
  dT = 25 degC - T
  x = [10 mm, 1 inch]
  A = 3 m^2 + (3 m)^2 + 1 cm2
end
