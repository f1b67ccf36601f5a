model class Tank
  parameter A = 2, k = 0.5
  terminal level, inflow
  A*der(level) = inflow - k*level
  initial
    der(level) = 0
  endinitial
end
model AtRest
  submodel (Tank) a(inflow = 1), b(A = 3, inflow = a_level)
  local a_level, x(2)
  a_level = a.level
  der(x) = -x
  initial
    for k = 1..2 do
      x(k) = k
    endfor
  endinitial
end
