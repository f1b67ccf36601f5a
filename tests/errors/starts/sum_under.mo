model M "the second equation of the start contradicts the first"
  local x , y 
  der(x) = -x
  der(y) = -y
  initial
    x + y = 3
    2*x + 2*y = 7
  endinitial
end
