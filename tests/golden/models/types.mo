{ Types with attributes, types of numbers, Booleans and enumerations; what is left out is inferred. }

type Angle(unit="rad", nominal=2) "an angle"
type (Angle) SmallAngle(max=0.5, start=0.05)
type Mode = (Free, Stuck, Slipping) "of a brake"
type (Integer) Count(min=0)

model class Brake
  parameter (Mode) mode = Mode.Free
  parameter (Count) n = 3
  parameter (Boolean) on = true
  parameter hot = false
  terminal (SmallAngle) phi (start=0.1), psi
  terminal force
  local (Mode) shown
  local (Boolean) holds
  local pressed(2)
  parameter T (unit="s") = 2
  T*der(phi) = -phi
  psi = phi/n
  holds = mode == Mode.Stuck and on or hot
  pressed = [phi > 0.2, not holds]
  shown = if pressed(1) then Mode.Stuck elseif mode > Mode.Stuck then Mode.Slipping else mode
  force = if shown <> Mode.Free and pressed(2) then n else 0
end

model Brakes
  submodel (Brake) a, b(mode=Mode.Stuck, n=2 + 2), c if 1 < 2
end
