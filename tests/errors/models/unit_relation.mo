model M
  parameter limit (unit="N") = 1, t0 (unit="m") = 1
  local x (unit="m"), f (unit="N"), g
  x = 0.1
  f = if x > limit then limit else 0
  g = if time < t0 then 1 else max(x, f)
end
