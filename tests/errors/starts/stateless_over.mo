model M "no state: nothing is free at the start"
  local x, y
  x + y = 2
  x - y = time
  initial
    x = 5
  endinitial
end
