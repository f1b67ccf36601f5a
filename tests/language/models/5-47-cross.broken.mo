model Cross
  local a(3), b(2), c(3)
  a = cross([1, 2, 3])
  b = cross([1, 2], [3, 4])
  c = cross([1, 2, 3], identity(3))
end
