model class Clock
  local t (unit="s"), x(2)
  t = time
  x = [time, 2]*time
end
model Time
  submodel (Clock) c
end
