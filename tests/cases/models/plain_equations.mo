{ Small systems of equations: the test functions of Dahlquist and van der Pol, a delay of first order, a filter, a rod that is heated. }

model Dahlquist
  parameter k = 1
  local x (start=1)
  der(x) = -k*x
end

model VanDerPol
  parameter mu = 1
  local x0 (start=2), x1 (start=0)
  der(x0) = x1
  der(x1) = mu*(1 - x0^2)*x1 - x0
end

model FirstOrder
  parameter T (unit="s") = 0.2
  local x (start=0.3), y, u
  u = sin(time)
  T*der(x) + x = u
  y = 2*x
end
