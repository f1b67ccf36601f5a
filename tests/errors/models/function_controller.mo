external controller pid(error) result u "python:control.PID"

model M
  local y (start=0)
  der(y) = pid(1 - y)
end
