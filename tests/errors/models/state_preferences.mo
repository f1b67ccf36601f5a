model Preferences
  local x(state=never, start=1), y(state=never), z(state=always), u(state=always), q
  der(x) = -x + y
  der(y) = x - q
  x = 2*y + sin(time)
  z = 3
  u = sin(time)
end
