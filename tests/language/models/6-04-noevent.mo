model Relations
  local x, y, z
  der(x) = if x > 1 then -1 else 1
  y = if time > 1 then 1 else 0
  z = noevent(if x > 1 then x else 1)
end
