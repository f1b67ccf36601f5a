model Loops
  local x(3), y
  for k = 1..4 do
    x(k) = k
    k = 2
  endfor
  for i = 1..y do
    y = i
  endfor
  y = k
end
