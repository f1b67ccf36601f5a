model Wrong
  parameter w (unit="V") = 3000 rpm, f (unit="rad/s") = 50 Hz, P (unit="kW") = 60 kW
  local x (unit="m"), y(2)
  x = 3 kOhm
  y = [1, 2]
  der(y, 2 s) = zeros(2 m)
  x + 0*y(1 s) = 2^(3 m)
  experiment (stop=3 m, rtol=1e-3 kg)
end
