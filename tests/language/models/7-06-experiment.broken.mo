model Decay
  parameter T (unit="s") = 2
  local x (start=1)
  der(x) = -x
  experiment (stop=5*T, interval=0, method="euler")
end
