# Values of wrong types in functions and in their calls.
type Angle (unit="rad", max=7)
type Mode = (Free, Stuck)

function half((Integer) n, (Mode) mode) result (Integer) h
  local (Boolean) even
  h := n/2
  even := h + h - n
  if mode then
    h := mode
  endif
  while n do
    even := mode == Mode.Loose
  endwhile
end

function turned((Angel) phi, (Angle) psi) result z
  z := phi + true
end

function after((Mode) mode, (Integer) n, (Angle) phi) result (Mode) m
  m := if n > 1 then Mode.Free else mode
end

model Wrong
  parameter n = 2
  local x
  local (Mode) m
  der(x) = after(m, 1, 1)
  m = after(1, n, x > 0)
end

model Outside
  local (Mode) m
  m = after(Mode.Free, 1, 8)
end
