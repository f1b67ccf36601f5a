model Efficiency
  parameter eta (unit="1", display="%") = 95 %, alpha (unit="1/K") = 0.4 %/K, P (unit="W") = 3 kW,
            slip = 2.5 %
  local loss (unit="W"), gain
  loss = (100 % - eta)*P
  gain = if slip > 5 % then 1 % else 1 + 10 %*slip^2
end
