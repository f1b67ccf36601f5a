model Ceil
  parameter p = 2.5
  local (Integer) a, b
  local c
  a = ceil(3*time)
  b = ceil(-2.5) + 10*ceil(2)
  c = ceil(time) + ceil(p)
end
