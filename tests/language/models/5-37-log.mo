model Log
  local x, v, k
  x = log(1 + time)
  v = der(log(1 + time))
  k = log(1)
end
