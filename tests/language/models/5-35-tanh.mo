model Tanh
  local x, v, k
  x = tanh(2*time)
  v = der(tanh(2*time))
  k = tanh(0)
end
