model Noevent
  local x, y
  x = noevent(1, 2)
  y = noevent()
end
