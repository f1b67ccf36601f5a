function twice(x) result y
  y := 2*x
end

function twice(x) result y
  y := x + x
end

model M
  local a
  a = twice(time)
end
