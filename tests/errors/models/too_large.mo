model M
  parameter n = 1000
  local x, T(1000,1000)
  x = 1
end
