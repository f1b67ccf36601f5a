model M
  local x
  x(0) = 1
  der(x) = -x
end
