model M "one equation of the start for two states"
  local h, v
  der(h) = v
  der(v) = -h
  initial
    h = 2*v + 1
  endinitial
end
