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
  for k = 1..3 do
    x(k) = k
  endfor
  initial
    x = 1
  endinitial
  assert x > 0, "text"
  external g
  local (Angle) phi
  cut class Pin (V / i)
  cut (Pin) A (V / i)
  submodel (A) b if g
  submodel (lib.A) b
  connect c(k) to m(k) for k = 1..6
  when = 3
end
