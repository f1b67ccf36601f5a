model Sample
  local n, m
  when sample(0, -1) then
    new(n) = n + 1
  endwhen
  when sample(0) then
    new(m) = 1
  endwhen
end
