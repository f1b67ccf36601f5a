type Mode = (Free, Stuck, Free)
type (Angel) A (unit="rad")
type (C) B
type (B) C
type Real (unit="m")
type Length (unit="m", state=prefer, symmetric=1, max=2*r)
cut class Pin (V / i)

model M
  local (Lenght) l
  local (Pin) p
  local (Mode) m
  local (M) n
  l = 1
  p = 1
  m = Mode.Fre
  n = 2
end
