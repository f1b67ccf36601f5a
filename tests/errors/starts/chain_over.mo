model M "four for three"
  local a (start=1), b (start=2), c (start=3)
  der(a) = b
  der(b) = c
  der(c) = -a - b - c
  initial
    a + b + c = 7
  endinitial
end
