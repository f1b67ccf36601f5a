model M "steady state of a body without losses: every temperature is steady"
  parameter C = 10
  local T1, T2, q
  C*der(T1) = -q
  C*der(T2) = q
  q = 3*(T1 - T2)
  initial
    der(T1) = 0
    der(T2) = 0
  endinitial
end
