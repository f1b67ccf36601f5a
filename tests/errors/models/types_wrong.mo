type Mode = (Free, Stuck)
type Color = (Red, Green)

model class A
  parameter (Boolean) b = 1
  parameter (Integer) n = 2.5
  parameter (Mode) m = Mode.Free
  parameter R = 1
  terminal y
  y = if R then 1 else 0
end

model M
  parameter on = 1
  submodel (A) a(R = true, m = Color.Red, n = 3), extra(b = true) if on
  local (Boolean) p (start=0), c (fixed=0)
  local (Mode) q
  local (Integer) k
  local x, z, w, open
  open = not z
  p = x and a.R > 2 or c
  q = if p then Mode.Free else 3
  k = 2.5*x
  x = p + q
  z = p
  w = sum([q, 2]) + -p
  c = q == Color.Red
  der(k) = 0
  if x then
    z = 1
  endif
  for j = 1..2 do
    w(q) = j + p
  endfor
end
