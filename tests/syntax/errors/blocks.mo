model M
  for k = 1..3 do
    local x
    x(k) = k
    for j = 1..k
      y = )
    endfor
  end for
end
for k = 1..2 do
  endfor
  for = 3
  x = do
end
model N
  endfor
  for k = 1..3 do
    x(k) = 1 +
  endfor
  connect a to b for k = 3
  for k = 1..3 do x = 3
end
model O
  for k = 1..3 do
