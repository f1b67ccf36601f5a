{ Two quantities have an equation of motion each, and are bound to each other besides; the force that would bind them does not act. }

model BoundTwice
  local x, y, f
  der(x) = 1 - x
  der(y) = x - y
  x = 2*y
  der(f) = x
end
