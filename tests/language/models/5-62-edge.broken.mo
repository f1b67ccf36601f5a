model Edge
  local x, n
  x = if edge(time > 1) then 1 else 2
  when edge(x) then
    new(n) = 1
  endwhen
end
