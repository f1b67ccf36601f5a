model TwoNames
  local x(state=always), y(state=never)
  der(x) = -x
  x = -y
end
