model Quantities
  parameter w (unit="V") = 3000 rpm, f (unit="rad/s") = 50 Hz, P (unit="kW") = 60 kW
  parameter T (unit="K") = 2 degC/s
  local x (unit="m"), y(2 m)
  x = 3 kOhm + 1 m/V_1
  x = 5V
end
