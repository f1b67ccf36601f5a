model Floor
  local a, b, c
  a = floor(1, 2)
  b = floor([1.5, 2])
  c = floor
end
