model M
  local x
  x = sine(time) + sin(1, 2)
end
