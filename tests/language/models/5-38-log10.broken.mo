model Log10
  local x, y, z
  x = log10(-1)
  y = log10(1, 2)
  z = log2(8)
end
