function forever(x) result y
  y := x
  while y > 0 do
    y := y + 1
  endwhile
end

model M
  parameter a = forever(1)
  local b
  b = a
end
