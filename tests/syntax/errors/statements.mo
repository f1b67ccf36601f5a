model M
  paramter R = 3
  local a b
  local = 3
  local end, a
  x = 1 2
  x = 2k
  x = a +
  y = 2
  x = if a then b
    else c
  3 + 4
  x == 3
  x = a = b
  x = a < b < c
  x = (a, b)
  x = [1 2]
  1..3 = 4
  x = a .b
  submodel R1
  parameter p "doc" = 3
  main path P <A>
  cut A ()
  cut A (i / -)
  connect a - b
  connect a at (b to c)
  connect a b
  connect a at b c at d
  "text"
  x = loop
  parameter par = 3
end
