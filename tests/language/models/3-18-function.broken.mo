function power(x, (Integer) n) result z
  for k = 1..n do
    z := z*x
  endfor
  y := 2
  x := 3
end
model Functions
  local x, y
  x = power(time, 2.5)
  y = power(time)
end
