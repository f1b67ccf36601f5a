{ The text does not show it: the condition does not hold, and x = x + k is left. }
model class Part
  constant level = 3
  local k, x, copy
  k = 2
  x = (if k > level then time else x) + k
  copy = 2*x
end

model DropsOut
  submodel (Part) a
  local k, y, u, v, z
  y = y + 2
  k = 2
  u = if k > 3 then time else v
  v = if k > 3 then time else u
  z = if k > 3 then 1 else z
  z = time
end
