external function drag(v, rho) result f "python:aero.drag.force"

model M
  local v
  der(v) = -drag(v, 1.2)
end
