model M "steady state and a start value"
  parameter C = 10, G = 0.5, Tamb = 293
  local T (start=300)
  C*der(T) = G*(Tamb - T)
  initial
    der(T) = 0
  endinitial
end
