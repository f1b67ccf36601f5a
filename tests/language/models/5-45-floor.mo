model Floor
  parameter p = 2.5
  local (Integer) a, b
  local c
  a = floor(3*time)
  b = floor(-2.5) + 10*floor(2)
  c = floor(time) + floor(p)
end
