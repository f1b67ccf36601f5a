model M "three equations of the start for two states"
  local x , y 
  der(x) = -x
  der(y) = -y
  initial
    x + y = 3
    x - y = 1
    x = 3*y
  endinitial
end
