function sin(x) result y
  y := x
end

model M
  local a
  a = sin(time)
end
