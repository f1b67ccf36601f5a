model M
  parameter p(2) = [true, false]
  local x(start=1), y
  der(x) = 1
  if x > 0 then
    y = 1
  else
    y = 2
  endif
  if p then
    y = 1
  endif
end
