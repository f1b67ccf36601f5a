model Alone
  local x(state=never), v(state=never)
  der(x) = v
  der(v) = -x
end
