model Contradiction
  local x (start=1), y
  der(x) = -x
  y = 2
  initial
    y = 3
  endinitial
end
