model M "one equation of the start for two counters"
  local n, k
  when sample(1, 1) then
    new(n) = n + 1
    new(k) = k - n
  endwhen
  initial
    n + k = 3
  endinitial
end
