type Angle (unit="rad", min=-4, max=4)
type (Angle) Small (max=1)
type (Integer) Count (min=0)
type Mode = (Free, Stuck)
model class Brake
  parameter (Mode) mode = Mode.Stuck
  local (Angle) phi, psi(2)
  local f
  phi = sin(time)
  psi = [phi, 2*phi]
  f = if mode == Mode.Free then 0 else phi
end
model Types
  parameter (Count) n = 2
  parameter (Small) a = 0.5
  local (Boolean) b
  local (Integer) i
  local (Real) r
  local (Mode) m
  submodel (Brake) free(mode=Mode.Free), stuck
  b = a < sin(time)
  i = if b then n else 1
  r = i
  m = if b then Mode.Free else Mode.Stuck
end
