model class Pump
  parameter flows(3) = [0, 1, 2], heads(3) = [5, 4, 0]
  terminal q, p
  p = interp1(q, flows, heads)
end
model Tables
  constant T(2,2) = [0, 0; 1, 10]
  submodel (Pump) a, b(heads = [6, 5, 1])
  local y, v
  a.q = time
  b.q = 2*time
  y = interp1(time, T) + interp1(0.5, [0, 1], [0, 4])
  v = der(interp1(time, T))
end
