model M "one equation of the start for three states"
  local a, b, c
  der(a) = b
  der(b) = c
  der(c) = -a - b - c
  initial
    a + b + c = 7
  endinitial
end
