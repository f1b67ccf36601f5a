function limited(x, most) result y
  constant least = 0
  if x > most then
    x := most
  endif
  least := 1
  for k = 1..3 do
    k := k + 1
  endfor
  y := x
end

model M
  local a
  a = limited(time, 2)
end
