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

model Arenstorf "a satellite between earth and moon, in coordinates that turn with them, on a closed path"
  constant mu = 0.012277471 "mass of the moon, that of both being 1"
  local x (start=0.994), y (start=0), vx (start=0), vy (start=-2.00158510637908252240537862224)
  local d1, d2
  der(x) = vx
  der(y) = vy
  d1 = ((x + mu)^2 + y^2)^1.5
  d2 = ((x - 1 + mu)^2 + y^2)^1.5
  der(vx) = x + 2*vy - (1 - mu)*(x + mu)/d1 - mu*(x - 1 + mu)/d2
  der(vy) = y - 2*vx - (1 - mu)*y/d1 - mu*y/d2
end
