model M "an equation of the start for what is given at all times"
  local level (start=1), inflow
  inflow = 2 + sin(time)
  der(level) = inflow - level
  initial
    inflow = 3
  endinitial
end
