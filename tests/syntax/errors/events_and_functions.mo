function f(x, y) result z
  z = x
  local a
  connect a to b
  while x < 1 do
    z := z + 1
  endif
  endwhile
  when x > 0 then
  endwhen
end
function g(x)
end
function h(x) gives z
end
function open(x(:)) result z
  local b(:)
  if x > 0 then
    z := 1
end
external function e(x)
model A
  x := 3
  while a < 1 do
    x = 1
  endwhile
  when a > 0 then
    connect a to b
    local q
    when b > 0 then
      x = 1
    endwhen
  else
  elsewhen b > 0 then
  endwhen
  if a then
    x = 1
  else
    x = 2
  elseif b then
    x = 3
  endif
  if a then x = 1 endif
  initial
    initial
    endinitial
    submodel (R) r
  endinitial
  assert x > 0
  terminate x > 0, y
  elseif a then
  function k(x) result y
  end
end
type Mode = (Free, 3)
type Angle = Real
type (Real
cut class Pin
