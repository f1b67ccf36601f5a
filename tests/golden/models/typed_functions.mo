{ Functions whose arguments, results and variables have types. }
type Angle (unit="rad", min=-7, max=7)
type Mode = (Free, Slipping, Stuck)

function within((Angle) phi, (Angle) most) result (Boolean) inside
  local (Angle) size
  local small
  size := abs(phi)
  small := size < most
  inside := small or size == 0
end

function next((Mode) mode, (Boolean) held, (Integer) n) result (Mode) m
  m := mode
  if held and mode < Mode.Stuck then
    m := if n > 1 then Mode.Stuck else Mode.Slipping
  elseif not held then
    m := Mode.Free
  endif
end

model TypedFunctions
  parameter (Mode) first = next(Mode.Free, true, 2)
  parameter T (unit="s") = 2
  local (Angle) phi (start=1)
  local (Boolean) held
  local (Mode) mode
  output torque
  T*der(phi) = -phi
  held = within(phi, 0.5)
  mode = next(first, held, 1)
  torque = if mode == Mode.Free then 0 else 1
end
