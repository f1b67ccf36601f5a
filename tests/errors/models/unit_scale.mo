model M
  parameter l (unit="mm") = 20, v (unit="km/h") = 5, a (unit="deg") = 30
  local x (unit="m"), p (unit="m"), h
  x = 1
  der(x) = v
  p = x - l
  h = sin(a)
end
