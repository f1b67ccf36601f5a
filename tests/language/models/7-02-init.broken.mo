model Discharge
  local x, y
  der(x) = -x
  y = 2*x
  init(y) = 1
  init(z) = 2
end
