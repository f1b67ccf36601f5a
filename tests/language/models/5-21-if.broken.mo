model If
  parameter l (unit="m") = 2
  local x, y(2), z (unit="m")
  x = if time then 1 else 2
  y = if time > 1 then [1, 2] else 0
  z = if time > 1 then l else l*l
end
