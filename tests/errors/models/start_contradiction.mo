model M
  local level, inflow
  inflow = 2
  der(level) = inflow
  initial
    inflow = 0
    level = 3
    der(level) = 2
  endinitial
end
