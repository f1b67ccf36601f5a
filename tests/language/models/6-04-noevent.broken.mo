model Relations
  local x, y
  x = noevent(time > 1, 2)
  y = noevent()
end
