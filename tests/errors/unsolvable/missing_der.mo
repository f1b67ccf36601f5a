
model MissingDer
  local pos(start=1), vel
  pos = vel
  pos = sin(time)
  der(vel) = -pos
end
