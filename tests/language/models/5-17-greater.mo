type Mode = (Free, Stuck)
model Greater
  parameter l (unit="m") = 2
  parameter (Mode) m = Mode.Free
  local (Boolean) a, b, c
  a = 2*time > 1
  b = m > Mode.Stuck
  c = l > 3
end
