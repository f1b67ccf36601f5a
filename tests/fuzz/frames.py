"""Models with gaps, one for each part of the language. What stands in a gap:

$E an expression of the grammar, a scalar of the variables, or 2. $S statements of the grammar, mostly none.
$P a scalar of parameters. $F a scalar of a function, $I one of its arguments, $A actions of a function, $X a scalar of
the variables always, $B a condition of them.
"""

GROUND = "model class G\n  cut A (v / i)\n  main cut C [A]\n  v = 0\nend\n"
VARIABLES = ["x", "p", "k", "time", "q(3)", "x"]
# Of the object also these, where it has them.
OBJECT_VARIABLES = ["a.x", "b(2).p", "der(x)"]
PARAMETERS = ["p", "k", "q(1)", "k", "k", "2"]
FUNCTION_ARGUMENTS = ["t", "n"]
FUNCTION_VARIABLES = ["t", "n", "s", "r", "z", "x(1)", "x(2)", "x(n)", "z", "t"]
FUNCTION_TARGETS = ["r", "s", "z", "r", "m(1)", "m(2)", "m(n)"]
CALLS = ["f", "g"]

PARTS = """
model class C "an element"
  cut A (v / i), B (w / -i)
  main path P <A - B>
  constant k = 2
  parameter p = 2, q(3) = [1, 2, 3]
  terminal x (start=1), y(3)
  $S
  der(x) = ($E) - x
  y = q*x
  v - w = p*i + ($E)
end
model class (C) D
  local z
  z = $E
  $S
end
model M
  constant k = 3
  parameter p = 4, q(3) = [1, 2, 3]
  parameter T(2,2) = [1, 0; 0, $P]
  $S
  submodel (C) a(p = $P), b(3)
  submodel (D) d
  submodel (G) g
  node n1, n2
  local x, y(3), z(2)
  connect a at (n1, n2), g at n2, n1 to b(1) to b(2) to n2, n1 to b(3) to d
  connect d:B at n2
  x = $E
  y = [a.x; b(2).x; $E]
  T*z = [1; $E]
  $S
end
"""

FUNCTIONS = """
function h(y(3), n) result r
  local x(3) = y, t = y(1), s = 1, z = n,  m(3) = [1, 2, 3]
  r := n
  r := $F
  $A
end
function g(t, n) result r
  local x(3) = [t, 2, n], s = n, z = 0, m(3) = [0, 0, 0]
  r := n
  r := $F
  $A
end
function f(t, n) result r
  local x(3) = [1, 2, 3], s = t, z = 1, m(3) = [0, 0, 0]
  r := n
  $A
  r := g($F, 2)
end
function slope(t, n, dt, dn) result r
  local x(3) = [1, 1, 1], s = 0, z = 1
  r := dt
  r := dt*($F) + dn
end
function known(t, n) result r (derivative=slope)
  local x(3) = [1, 2, 3], s = 0, z = 1, m(3) = [0, 0, 0]
  r := t*n
  $A
end
model class P
  terminal x
  constant k = 1
  parameter p = 1, q(3) = [1, k, 3]
  der(x) = f($X, 2)
end
model M
  constant k = f(2, 3)
  parameter p = 4, q(3) = [1, g(3, 1), 3]
  submodel (P) a, b(3)(p = $P)
  local x (start=1), y, v, w(2)
  $S
  der(x) = f($X, 3) - x
  y = h([x, $E, 1], 2)
  v = der(known(x, 2)) + $X
  w = [g($E, 3), h(q, 3)]
  $S
end
"""

TYPES = """
type Angle (nominal=2)
type (Angle) Small (max=3, start=0.1)
type Mode = (Free, Stuck, Slipping)
cut class Pin (V / i)
model class Stove
  parameter P = 2, p = 2, q(3) = [1, 1, 1]
  constant k = 1
  terminal Q, x
  x = time
  Q = P*exp(-time) + ($E)
end
model class Oven
  external k
  terminal Q
  Q = $X
  parameter p = 3, q(3) = [1, 1, 1]
  terminal x (start=2)
  der(x) = $X
  submodel (Stove) u, r(3)(P = $P)
end
model class House (class Source = Stove)
  internal k = 3, x (start=5)
  submodel (Source) s, t(2)
  default d = 3
  parameter p = 2, q(3) = [1, 1, 1]
  der(x) = -0.1*x + ($E)
  $S
end
model class Brake
  cut (Pin) A (v / i), B (w / -i)
  main path P <A - B>
  parameter (Mode) mode = Mode.Free
  parameter (Integer) n (min=0) = 3
  parameter (Boolean) on = true
  terminal (Small) phi (start=0.1)
  local (Mode) shown
  local (Boolean) holds
  parameter p = 1, q(3) = [1, 2, 3]
  der(phi) = -phi + ($E)
  holds = mode == Mode.Stuck and on or $B
  shown = if $B then Mode.Stuck elseif mode > Mode.Stuck then Mode.Slipping else mode
  if mode == Mode.Free then
    v - w = i
  else
    i = 0
  endif
  local x, k
  x = $E
  k = 2
  $S
end
model M
  parameter k = 1, q(3) = [1, 2, 3]
  submodel (House) one, two(Source = Oven)
  submodel (Brake) a(n = 2), b(3)(mode = Mode.Stuck), c(on = false) if 1 < 2
  submodel (G) g
  node n1
  connect n1 to a to reversed b(1) to n1, g at n1, n1 to (b(2) par b(3)) to n1, n1 to c to n1
  local x, p
  x = b(2).phi
  p = a.phi + ($E)
  $S
end
"""

EVENTS = """
model class Counter
  parameter p = 3, q(3) = [1, 1, 1]
  constant k = 4
  input (Boolean) count
  output digits(2) (start=0)
  local x
  x = 2*time
  when count then
    if digits(1) == p - 1 then
      new(digits) = [0; digits(2) + 1]
    else
      new(digits(1)) = digits(1) + ($E)
    endif
    terminate digits(2) > 4, "enough"
  endwhen
end
model M
  constant k = 3
  parameter p = 4, q(3) = [1, 2, 3]
  submodel (Counter) c
  local x (start=1), z, a, n (start=0), m (start=true), v (state=prefer)
  c.count = $B
  der(x) = v
  der(v) = if m then 0 else ($X)
  z = delay(x, $E) + noevent($X)
  a = interp1(x, [0, 1, 2], [1, $P, 2])
  when x > $X then
    new(n) = n + 1
    new(m) = $B
    init(v) = $X
  elsewhen sample(0, p) then
    new(n) = $E
    $S
  endwhen
  assert $B, "asserted"
  $S
  initial
    $S
    x = $E
  endinitial
end
"""

FRAMES = (PARTS, FUNCTIONS, FUNCTIONS, TYPES, EVENTS)
