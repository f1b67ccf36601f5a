model If
  parameter (Boolean) p = true
  local x, y(2), M(2,2), z, w (unit="m")
  x = if time < 1 then 1 elseif time < 2 then time else 2
  y = if p then [x, 1] else zeros(2)
  M = 2*(if x > 1 then identity(2) else [1, 2; 3, 4])
  z = if 1 > 2 then 1/0 else 5
  w = if x > 1.5 then 3 else w0
  constant w0 (unit="m") = 2
end
