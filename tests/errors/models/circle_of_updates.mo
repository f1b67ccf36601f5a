model Counters
  local a (start=0), b (start=0)
  when sample(0, 1) then
    new(a) = new(b) + 1
    new(b) = 2*new(a)
  endwhen
end
