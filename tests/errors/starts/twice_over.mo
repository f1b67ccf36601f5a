model M "twice the same equation of the start"
  local h, v
  der(h) = v
  der(v) = -h
  initial
    h = 2*v + 1
    h = 2*v + 1
    h = 1
  endinitial
end
