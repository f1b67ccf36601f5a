model M "no state: nothing start free at the start"
  local x, y
  x + y = 0
  x - y = time
  initial
    x = 5
  endinitial
end
