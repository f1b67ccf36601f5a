model M "an integrator that is to be at rest: its input says nothing of it"
  local x, u
  u = sin(time)
  der(x) = u
  initial
    der(x) = 0
  endinitial
end
