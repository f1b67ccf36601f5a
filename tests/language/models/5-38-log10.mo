model Log10
  local x, v, k
  x = log10(1 + time)
  v = der(log10(1 + time))
  k = log10(1000)
end
