model Sin
  local x, v, k
  x = sin(2*time)
  v = der(sin(2*time))
  k = sin(0)
end
