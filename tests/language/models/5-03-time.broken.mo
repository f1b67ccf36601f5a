model Time
  local time, x (unit="m"), y
  x = time
  y = time(1)
end
