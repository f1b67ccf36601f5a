model Size
  parameter v(3) = [1, 2, 3]
  local a, b, c
  a = size(v)
  b = size(v, 2)
  c = size(time, 1)
end
