model CounterForgotten
  local x(start=1), y, level
  local n
  der(x) = -x
  when x < 0.5 then
    new(n) = n + 1
  endwhen
  y = n*x
end
