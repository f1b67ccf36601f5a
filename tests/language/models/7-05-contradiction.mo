model Consistent
  local x (start=1), y
  der(x) = -x
  y = 2*x
  der(z) = -z
  local z
  initial
    z = x + y
  endinitial
end
