model M "the second equation of the start says what the first does"
  local x , y 
  der(x) = -x
  der(y) = -y
  initial
    x + y = 3
    2*x + 2*y = 6
  endinitial
end
