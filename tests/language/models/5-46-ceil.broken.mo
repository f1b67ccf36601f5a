model Ceil
  local a, b, c
  a = ceil(1, 2)
  b = ceil([1.5, 2])
  c = ceil
end
