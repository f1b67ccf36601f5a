model Counters
  local a (start=0), b (start=0)
  when sample(0, 1) then
    new(a) = a + 1
  endwhen
  when new(a) > 3 then
    new(b) = b + 1
  endwhen
end
