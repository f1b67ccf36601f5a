model Choices
  parameter p = 1
  local x, y
  if time > 1 then
    x = 1
  else
    x = 2
  endif
  if p then
    y = 1
  endif
end
