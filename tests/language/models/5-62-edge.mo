model Edge
  local x, n (start=0), m (start=0)
  der(x) = 1 - x
  when edge(x > 0.5) or time > 2 then
    new(n) = n + 1
  endwhen
  new(m) = if edge(x > 0.7) then m + 1 else m
end
