model Wrong
  local x, y
  der(x) = z
  y = undefined(x)
end
