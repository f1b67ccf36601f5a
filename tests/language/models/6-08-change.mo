type Mode = (Open, Shut)
model Changes
  local n(2) (start=0), c (start=0), d (start=0)
  local (Mode) m (start=Mode.Open)
  when sample(0.1, 0.1) then
    new(n) = [if time > 0.35 then 1 else 0, 0]
    new(m) = if time > 0.55 and time < 0.75 then Mode.Shut else Mode.Open
  endwhen
  when change(n) or change(m) then
    new(c) = c + 1
  endwhen
  when change(n) and not change(m) then
    new(d) = d + 1
  endwhen
end
