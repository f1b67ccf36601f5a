model Noevent
  local x, y(2)
  der(x) = noevent(if x > 1 then 1 - x else 1)
  y = noevent(if x < 0.5 then [x, 1] else [0, 2])
end
