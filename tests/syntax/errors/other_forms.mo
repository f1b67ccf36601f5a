@library as lib
function f(x) result z
  z := x
end
type Angle (unit="rad")
model class Axis (class Control = PI)
  when x then
    init(y) = )
  endwhen
  if p then
    a = 3
  else
    b = 4
  endif
  initial
    x = 1
  endinitial
  assert x > 0, "text"
  external g
  local (Angle) phi
  cut class Pin (V / i)
  cut (Pin) A (V / i)
  submodel (lib.A) b
  when = 3
end
