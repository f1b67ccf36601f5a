type Angle (unit="rad", max=4)
type Mode = (Free, Stuck)
model Types
  parameter (Angle) a = 5
  parameter (Mod) n = 1
  local (Mode) m
  local (Boolean) b
  local (Integer) i
  m = Mode.Fre
  b = time
  i = 2.5*time
end
