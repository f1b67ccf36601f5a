model Tank
  local h (start=1), v (start=2), flow
  der(h) = flow
  der(v) = -v
  flow = -0.1*h
  initial
    flow = 0
    h + v = 3
    v = 1
  endinitial
end
