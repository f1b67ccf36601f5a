model M "a counter with a start and an equation of the start"
  local n (start=1)
  when sample(1, 1) then
    new(n) = n + 1
  endwhen
  initial
    n = 3
  endinitial
end
