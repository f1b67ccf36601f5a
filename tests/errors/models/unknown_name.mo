model M
  local speed
  parameter mass = 2
  mass*der(speeed) = maas
end
