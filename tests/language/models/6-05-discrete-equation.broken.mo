model Rectifier
  local open, n, x
  new(open) = x > 0
  open = x < 1
  when time > 1 then
    new(n) = 1
  endwhen
  new(n) = 2
  der(x) = -x
end
