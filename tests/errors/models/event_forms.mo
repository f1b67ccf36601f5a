model M
  parameter limit = 2
  local x, y (start=0), z, n (start=0), m (start=0), on (start=false)
  der(x) = edge(x > 1)
  z = if sample(0, 1) then 1 else new(n)
  when x then
    x = 3
    2*n = 4
    new(n) = init(n) + 1
  elsewhen limit > 1 then
    new(n) = 2
  elsewhen [x > 1, x > 2] then
    new(n) = 3
  elsewhen x + 1 then
    new(n) = 4
  elsewhen edge(2*x) then
    new(n) = 5
  elsewhen sample(x, limit) or sample(0, 0) then
    new(n) = if sample(0, 1) then 1 else 2
    if 3 then
      new(n) = 6
    endif
  elsewhen limit > 1 and time > 1 then
    assert 2, "no number"
  endwhen
  assert edge(x > 1), "an instant"
  assert 1 > 2, "never"
  terminate x, "level"
  y = delay(x, x) + delay(x) + noevent(x, 1) + smooth(2, x)
  initial
    new(m) = 1
    m = n > 1 and edge(n > 1)
  endinitial
end
